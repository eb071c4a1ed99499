"""Verify a record: ``python verify_a_record.py`` verifies one of a match, and then one with a changed die."""

import fourtwenty as ft

if __name__ == "__main__":
    lineup = ft.Lineup(ft.parse_players("bot:Steady,bot:Merry"), starting_seat=0)
    # A fixed seed and identifier give the same match on any machine; Match.fresh(lineup) draws both.
    match = ft.Match(lineup, ft.FairDice(bytes(32)), identifier="0" * 32)
    match.play_out()
    record = ft.write_record(ft.Record.from_match(match))
    state = ft.verify_record(ft.read_record(record))
    print(f"verified: {state.report(match.names).headline}, SHA-256 {ft.fingerprint(record)[:16]}")

    first, *_ = match.events
    thrown = ", ".join(map(str, first.faces))
    changed = record.replace(f"[{thrown}]", f"[{first.faces[0] % 6 + 1}{thrown[1:]}]", 1)
    try:
        ft.verify_record(ft.read_record(changed))
    except ft.RecordError as error:
        print(f"refused: {error}")

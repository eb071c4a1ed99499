"""Solve a position of 420: ``python solve_a_position.py`` prints every choice with its chance to win, best first."""

import fourtwenty as ft

POSITION = "*>6551 5433 roll 2"
"""Two players: the one to act holds 6 5 5 1, the other 5 4 3 3. docs/records.md describes the notation."""

if __name__ == "__main__":
    state = ft.GAMES["420"].parse(POSITION)
    solver = ft.solver_for(state)
    about = "about " if solver.is_estimated(state) else ""
    print(f"{POSITION}: {about}{solver.objective(state).label}")
    for choice in solver.choices(state):
        print(f"{choice.value:7.2%}  keep {' '.join(map(str, choice.kept)) or 'nothing'}")

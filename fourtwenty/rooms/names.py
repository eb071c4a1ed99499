"""Decides which names players may have at a table of several machines, by code points alone.

All machines must decide alike, but their Pythons know different versions of Unicode: 14.0 (3.11) to 17.0 (3.15).
"""

from __future__ import annotations

import re
from base64 import b85decode
from bisect import bisect
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from zlib import decompress

from fourtwenty.games.english import is_you
from fourtwenty.play.bots import BOTS
from fourtwenty.play.format import name_key
from fourtwenty.play.lineup import GUEST, Seat, check_name, parse_seats

NAME_OF_BOT = re.compile(rf"({'|'.join(BOTS)})(?: \d+)?(?: \(bot\))?", re.IGNORECASE | re.ASCII)
"""The name of a bot, also numbered as by ``play.lineup.free_name``, or marked as by ``Seat.label``."""

RUNS = (
    "c-nPW3%2Dp2-`}QU<}51{~Ie3I5*RF&h1O{u`viCn231h<BvW25&q`Liyk~GzO9iL&8M}VeBQa#AIWta3mso&<VJhe$$P^^77SrGZRXxbX*;)0&F"
    "!#MKP;)EH7(EQ^asl&!Z+BRZ&thEeEHcq-@iI;^#bK`_$#$C{~LUFc$)laVlj~ZqGhX0$;?H&zx>DXyZ1V-`Bp!UOTg@;=jD=J^W3fNs^T02QoX3"
    "Q5ZMV+qStL)#CfLl;?3pSKv>1H%gf)M@%sAR=iFsC{>hW>VN3c3xbx8I{U#&J1FZqY#@$xEqYK<Mf09XoL(Zf74WB%*iv`?Y{ov&eV$n3rIN*Ywx"
    "|1SV`kChB#Lry5*d5R1H16%*sQ%Aa8e4at!$W0mJUt0-l-$$%Cr%-I;QC>~%ujakbQ(>sOIg7-({vJ*GpZt(^SXdFvk*ux432n}nm&#X&hS`YaxD"
    "uZ5|rI0?-*3(DNve<xD<ChnH!^gSZW=VM&Cr^aes<nmcCHehP*jlicI_HFebF25<-YqU&RI(;ffN5Zh$ykuS{xso@KT^`CDFew!(LJq5bVo5+=2x"
    "Wnv7|QjdVufov3;5Vz5BzAWHb!)G4&of4M`wqQ;J5;VE#N7qT2(*l11=1gY5kP~)f3%Ktn;j^L}4U1h)!<Do&qv_FqzgT^c7XGqGWRqAE(vpy+Z_"
    ")M~8Qd%|IOvU|e56qTeO8YllvP@v=o=1Yfy*KDt#;}g@j)y<2TQ5i$x*=Y48Jy7Hkmy|2uejWWH>7)E<*&sTW(9VAPI;G`ydetBy?1=7VZQ^Zm?-"
    "6)wr;fBH&`k!Xm+CUdCQ|7Wwl{mbVJ%J83773q%0p`8JE(8vwJ`Xto#j6VyrKA2(j|TtR*ukaSz@P@`IBt%$1)RXJATjC4EYO;4%7L2|T~(ctuIU"
    "=XXwJ*4O&hKs!o3<RZ;(bN;WZD4|eM8(*wCTTKB?F{7bb3yHKg+FPso7ye#0pIfHJsI#Naq;yL&?^zprG<i~5&L_;lq!VT4X`@hV%<Z=(CzZnTAK"
    "tQ>TuE>5K**}UYRM8t`J2+R(Bk%*(K}7yv0II$w)xhi=t~I+9Mrzf?#(XRn`*#&zg41hhS^mXbejIvzA6_9_t%yzTEnTY*sz<DUNmJ`#t_H^Gbli"
    "Tw0D+Uoa`pLnH(Kv{<6(&|Q$mLkPwe+P9%VBTLScp3A|tYB*4q=sQQ;vmmRcL?X}`9sqJA-Am>-z+AgVDYtTfmF}V>;#ATt!#lc|{&zq-QW7AWqn"
    "*NU9e`oiY@;QAgGsTSnIiV&DwGwIrqNSn3p^Z);PtZZ!GW3rY<YOF+~u7M?^Jp9;R@~QmLJ#IXhN?ZN~x7bvL2SzAgxw&UIr^~&Mt@DgGG;j8CZq"
    "g+E4DzYW^E^rJZS1@W*}%iqw+9j>%<vi3Z0Oa5?bGg)nf}t94hp$1Thrr@l|}n^k@r{`I@xZWirpVN|HAM#O%o8DP}xf>M*&z2JgHp6B~bm7Jt3S"
    "D)MQo#{M5c41(yZXxXEoS=GGf;rC1ert(hr{iiLawauJ(9gwOo~ly*lf;|wun_zvoCZ>2+s~2aY;NQW1LRT;ejL)a)AqKkaph>i)|B1YP7-v>Ix9"
    "+8Af6E3bja7>wWqK8|3Bp@Oil"
)
"""Numbers of code points, in turn assigned in Unicode 14.0 and not, from U+0000 on. Printed by Python 3.11:

    from base64 import b85encode
    from itertools import groupby
    from unicodedata import category
    from zlib import compress
    runs = groupby(range(0x110000), lambda code: category(chr(code)) == "Cn")
    print(b85encode(compress(" ".join(str(len([*run])) for _, run in runs).encode(), 9)).decode())
"""


def check_seat(seat: Seat, others: Sequence[Seat]) -> str | None:
    """Return in a sentence why a seat cannot have its name at a table, beside the others; None when it can."""
    for character in seat.name:
        if not is_assigned(character):  # its case and its width depend on the version of Python
            return f"Not every machine knows the character U+{ord(character):04X} yet: leave it out of the name."
    if refusal := check_name(seat.name, others):
        return refusal
    key = name_key(seat.name)
    if is_you(key):
        return 'Everybody here is "you" to themselves: use the name that the others know you by.'
    if key == name_key(GUEST):
        return "Everybody here is a guest: use the name that the others know you by."
    bot = NAME_OF_BOT.fullmatch(key)
    if bot and bot[1] != name_key(seat.bot or ""):
        return f"{bot[1].capitalize()} is the name of a bot: use another name."
    return None


def read_seats(text: str, others: Sequence[Seat] = ()) -> tuple[Seat, ...]:
    """Read seats at a table as ``parse_seats``, and check names. Raises ValueError with a sentence."""
    seats = parse_seats(text, others)
    for index, seat in enumerate(seats):
        if refusal := check_seat(seat, [*others, *seats[:index]]):
            raise ValueError(refusal)
    return seats


def is_assigned(character: str) -> bool:
    """Return whether Unicode 14.0 assigns a character; private-use characters and surrogates count as assigned."""
    return bisect(_boundaries(), ord(character)) % 2 == 0


@cache
def _boundaries() -> list[int]:
    """The code points at which runs of assigned and of other ones end, in turn."""
    return [*accumulate(map(int, decompress(b85decode("".join(RUNS))).split()))]

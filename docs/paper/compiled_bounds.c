/* The steps of compiled_bounds.py, which writes rules.h: SEATS, GROUPS, KEEPS and CLASSES, POSITIONS, OUTWARD, and the
   tables REACHED, TWENTY, ALLOWED, GROUP and MEMBER of full_programme.py.

   Positions are by groups, the last seat in turn order fastest, and GROUPS of them in a row are a block. Before a throw,
   number i of block (group of the seat to act) * BLOCKS + block has the others number block * GROUPS + i. After the
   throw that seat is the last, so block number block * GROUPS + i has one position for each group thrown. */

#include <stdint.h>
#include <string.h>

#include "rules.h"

typedef double Row[GROUPS];

static const int64_t BLOCKS = POSITIONS / GROUPS / GROUPS;
/* The number of blocks for each group of the seat to act. */

/* The bounds of a seat in a block, rounded outward: low / 65536 and (high + 1) / 65536. */
typedef struct {
    uint16_t low[GROUPS], high[GROUPS];
} Coarse;

/* Set after[kept][i] to a bound of what keeping the dice is worth, from next[group reached][i]. */
static inline void average(const Row *next, double prize, double outward, Row *after) {
#pragma GCC unroll 14
    for (int kept = 0; kept < KEEPS; kept++) {
        Row sum;
        for (int i = 0; i < GROUPS; i++) sum[i] = prize * TWENTY[kept] + outward;
#pragma GCC unroll 12
        for (int group = 0; group < GROUPS; group++)
            if (REACHED[kept][group] != 0)
                for (int i = 0; i < GROUPS; i++) sum[i] += REACHED[kept][group] * next[group][i];
        memcpy(after[kept], sum, sizeof sum);
    }
}

/* Set low[group] and high[group] to a seat's bounds over the choices that are left, from the bounds of each.

   left[class][i] has bit n where choice n is left. If it is the seat to act, drop the choices that are behind, and set
   margin to the least distance by which one was, if that is less. */
static inline __attribute__((always_inline)) void choose(const Row *after_low, const Row *after_high, int acts,
                                                         uint8_t (*left)[GROUPS], Row *low, Row *high, double *margin) {
    const double none = acts ? -1 : 2;
    int seen = 0;
    for (int number = 0; number < CLASSES; number++) {
        const int *allowed = ALLOWED[number], group = GROUP[number];
        uint8_t *may = left[number];
        Row least, most;
        int alike = 1;
        for (int i = 1; i < GROUPS; i++) alike &= may[i] == may[0];
        if (alike && !(may[0] & (may[0] - 1))) { /* one choice, as nearly everywhere */
            int choice = 0;
            while (may[0] >> choice != 1) choice++;
            memcpy(least, after_low[allowed[choice]], sizeof least);
            memcpy(most, after_high[allowed[choice]], sizeof most);
        } else {
            for (int i = 0; i < GROUPS; i++) least[i] = none, most[i] = -1;
            for (int choice = 0; allowed[choice] >= 0; choice++) {
                const double *a = after_low[allowed[choice]], *b = after_high[allowed[choice]];
                if (alike && may[0] >> choice & 1) {
                    for (int i = 0; i < GROUPS; i++) {
                        least[i] = (acts ? a[i] > least[i] : a[i] < least[i]) ? a[i] : least[i];
                        most[i] = b[i] > most[i] ? b[i] : most[i];
                    }
                } else if (!alike) {
                    for (int i = 0; i < GROUPS; i++) {
                        double low_of = may[i] >> choice & 1 ? a[i] : none, high_of = may[i] >> choice & 1 ? b[i] : -1;
                        least[i] = (acts ? low_of > least[i] : low_of < least[i]) ? low_of : least[i];
                        most[i] = high_of > most[i] ? high_of : most[i];
                    }
                }
            }
            for (int choice = 0; acts && allowed[choice] >= 0; choice++)
                for (int i = 0; i < GROUPS; i++) {
                    double behind = least[i] - after_high[allowed[choice]][i];
                    if (behind > 0 && may[i] >> choice & 1) {
                        may[i] &= ~(1 << choice);
                        *margin = behind < *margin ? behind : *margin;
                    }
                }
        }
        if (seen >> group & 1) {
            for (int i = 0; i < GROUPS; i++) {
                low[group][i] = low[group][i] < least[i] ? low[group][i] : least[i];
                high[group][i] = high[group][i] > most[i] ? high[group][i] : most[i];
            }
        } else {
            memcpy(low[group], least, sizeof least);
            memcpy(high[group], most, sizeof most);
        }
        seen |= 1 << group;
    }
}

/* Take a step for all seats in all positions, and use new bounds at once. */
void step_all(Coarse (*bounds)[SEATS], uint8_t (*left)[CLASSES][GROUPS], double *margin) {
    for (int64_t block = 0; block < BLOCKS; block++) {
        Row low[SEATS][GROUPS], high[SEATS][GROUPS], after_low[KEEPS], after_high[KEEPS];
        for (int seat = 0; seat < SEATS; seat++) {
            Row next_low[GROUPS], next_high[GROUPS];
            for (int i = 0; i < GROUPS; i++) {
                const Coarse *next = &bounds[block * GROUPS + i][(seat + SEATS - 1) % SEATS];
                for (int group = 0; group < GROUPS; group++) {
                    next_low[group][i] = next->low[group] * 0x1p-16;
                    next_high[group][i] = (next->high[group] + 1) * 0x1p-16;
                }
            }
            average(next_low, seat == 0, -OUTWARD, after_low);
            average(next_high, seat == 0, OUTWARD, after_high);
            if (seat == 0)
                choose(after_low, after_high, 1, left[block], low[seat], high[seat], margin);
            else
                choose(after_low, after_high, 0, left[block], low[seat], high[seat], margin);
        }
        for (int group = 0; group < GROUPS; group++) {
            Row lows = {0}, highs = {0};
            for (int seat = 0; seat < SEATS; seat++)
                for (int i = 0; i < GROUPS; i++) lows[i] += low[seat][group][i], highs[i] += high[seat][group][i];
            for (int seat = 0; seat < SEATS; seat++) {
                Coarse *here = &bounds[group * BLOCKS + block][seat];
                int32_t up[GROUPS], down[GROUPS];
                for (int i = 0; i < GROUPS; i++) { /* the payoffs of all seats have one sum */
                    double a = 1 - (highs[i] - high[seat][group][i]) - OUTWARD;
                    double b = 1 - (lows[i] - low[seat][group][i]) + OUTWARD;
                    a = 65536 * (a > low[seat][group][i] ? a : low[seat][group][i]);
                    b = 65536 * (b < high[seat][group][i] ? b : high[seat][group][i]);
                    up[i] = (int32_t)a;
                    down[i] = (int32_t)b - ((int32_t)b == b);
                }
                for (int i = 0; i < GROUPS; i++) {
                    up[i] = up[i] > here->low[i] ? up[i] - here->low[i] : 0;
                    down[i] = down[i] < here->high[i] ? here->high[i] - down[i] : 0;
                    here->low[i] += up[i];
                    here->high[i] -= down[i];
                }
            }
        }
    }
}

/* Set low and high to the bounds of a seat one turn before next_low and next_high. Return the most that they are apart.
 */
double step_one(const double *next_low, const double *next_high, int acts, uint8_t (*left)[CLASSES][GROUPS],
                double *low, double *high, double *margin) {
    double apart = 0;
    for (int64_t block = 0; block < BLOCKS; block++) {
        Row lows[GROUPS], highs[GROUPS], after_low[KEEPS], after_high[KEEPS];
        for (int i = 0; i < GROUPS; i++)
            for (int group = 0; group < GROUPS; group++) {
                lows[group][i] = next_low[(block * GROUPS + i) * GROUPS + group];
                highs[group][i] = next_high[(block * GROUPS + i) * GROUPS + group];
            }
        average(lows, acts, -OUTWARD, after_low);
        average(highs, acts, OUTWARD, after_high);
        if (acts)
            choose(after_low, after_high, 1, left[block], lows, highs, margin);
        else
            choose(after_low, after_high, 0, left[block], lows, highs, margin);
        for (int group = 0; group < GROUPS; group++) {
            memcpy(low + (group * BLOCKS + block) * GROUPS, lows[group], sizeof(Row));
            memcpy(high + (group * BLOCKS + block) * GROUPS, highs[group], sizeof(Row));
            for (int i = 0; i < GROUPS; i++) {
                double gap = highs[group][i] - lows[group][i];
                apart = gap > apart ? gap : apart;
            }
        }
    }
    return apart;
}

/* Play a turn by the choice that is left, from mass[position], which is 0 where more than one is: set after[position] to
   the chances next, and won[block] to the chances of 20. */
void play(const double *mass, const uint8_t (*left)[CLASSES][GROUPS], double *after, double *won) {
    for (int64_t block = 0; block < BLOCKS; block++) {
        double twenty = 0;
        for (int i = 0; i < GROUPS; i++) {
            Row next = {0};
            for (int number = 0; number < CLASSES; number++) {
                if (MEMBER[GROUP[number]] != number) continue; /* a group plays as its first class */
                double chance = mass[(GROUP[number] * BLOCKS + block) * GROUPS + i];
                int choice = 0;
                while (!(left[block][number][i] >> choice & 1)) choice++;
                int kept = ALLOWED[number][choice];
                for (int group = 0; group < GROUPS; group++) next[group] += chance * REACHED[kept][group];
                twenty += chance * TWENTY[kept];
            }
            memcpy(after + (block * GROUPS + i) * GROUPS, next, sizeof next);
        }
        won[block] = twenty;
    }
}

/*
 * title: Measuring four litres with two jugs
 * topic: Puzzles
 * level: 1
 * lesson: One jug holds five litres, the other three. Fill them at the tap,
 *   empty them, or pour from one into the other until the first is empty or the
 *   second is full. Can exactly four litres be measured? The assertion says no,
 *   and a shortest counterexample is a shortest recipe. With jugs of six and
 *   three litres the answer is different: only multiples of three can be
 *   measured, the assertion holds, and the check is a proof of that.
 * see: farmer
 * parameters: BIG=5 1..9 litres in the big jug
 * parameters: SMALL=3 1..9 litres in the small jug
 * parameters: GOAL=4 1..9 litres to measure
 * expect: safety violated assertion
 * expect[BIG=6, SMALL=3]: safety holds
 * expect[BIG=9, SMALL=7, GOAL=8]: safety violated assertion
 * states: 16
 * transitions: 113
 * states[BIG=6, SMALL=3]: 6
 * transitions[BIG=6, SMALL=3]: 43
 * states[BIG=9, SMALL=7, GOAL=8]: 32
 * transitions[BIG=9, SMALL=7, GOAL=8]: 225
 */

#ifndef BIG
#define BIG 5
#endif
#ifndef SMALL
#define SMALL 3
#endif
#ifndef GOAL
#define GOAL 4
#endif

byte big, small;

/* Pour from one jug into the other, which has the given size. */
inline pour(from, to, size)
{
  d_step {
    if
    :: from + to <= size ->
       to = from + to;
       from = 0
    :: else ->
       from = from - (size - to);
       to = size
    fi
  }
}

active proctype Kitchen()
{
  do
  :: big = BIG
  :: small = SMALL
  :: big = 0
  :: small = 0
  :: pour(big, small, SMALL)
  :: pour(small, big, BIG)
  :: assert(big != GOAL && small != GOAL)
  od
}

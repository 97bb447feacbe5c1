/*
 * title: Leader election in a ring
 * topic: Distributed algorithms
 * level: 2
 * lesson: N processes in a ring, each with a number of its own, want to agree
 *   on a leader; they can only talk to their right-hand neighbour. Chang and
 *   Roberts let everybody send its number around. A process passes on larger
 *   numbers, swallows smaller ones, and has won when its own number comes back.
 *   The model chooses the order of the numbers freely, so all orders are
 *   checked in one run. Look at the statistics for N = 2, 3, 4, without a
 *   reduction (in the options, under Engine), to see how fast the number of
 *   states grows.
 * parameters: N=4 2..5 number of processes
 * expect: safety holds
 * expect: ltl at_most_one holds
 * expect: ltl elected holds
 * expect[N=2]: safety holds
 * expect[N=3]: safety holds
 * states: 12790
 * transitions: 34312
 * states[N=2]: 70
 * transitions[N=2]: 96
 * states[N=3]: 746
 * transitions[N=3]: 1476
 */

#ifndef N
#define N 4
#endif

mtype = { candidate, winner };

chan link[N] = [N] of { mtype, byte };  /* link[i] leads to process i */

byte leaders;                           /* how many think that they have won */

proctype Member(chan in, out; byte mine)
{
  byte number;

  out ! candidate(mine);
  do
  :: in ? candidate(number) ->
     if
     :: number > mine -> out ! candidate(number)
     :: number < mine -> skip           /* that one cannot win */
     :: else ->                         /* once around: mine is the largest */
        leaders++;
        assert(mine == N);
        out ! winner(mine)
     fi
  :: in ? winner(number) ->
     assert(number == N);
     if
     :: number != mine -> out ! winner(number)
     :: else                            /* everybody has been told */
     fi;
     break
  od
}

init
{
  bool used[N];
  byte i, pick;

  atomic {
    for (i : 0 .. N - 1) {
      select (pick : 0 .. N - 1);       /* any number ... */
      do
      :: used[pick] -> pick = (pick + 1) % N
      :: else -> break                  /* ... that is not yet taken */
      od;
      used[pick] = true;
      run Member(link[i], link[(i + 1) % N], pick + 1)
    };
    pick = 0;
    for (i : 0 .. N - 1) {
      used[i] = false
    };
    i = 0
  }
}

ltl at_most_one { [] (leaders <= 1) }
ltl elected { <> (leaders == 1) }

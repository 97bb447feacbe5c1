/*
 * title: Dekker's mutual exclusion
 * topic: Mutual exclusion
 * level: 2
 * lesson: The first known solution of the problem, older and longer than
 *   Peterson's. A process that meets competition looks at whose turn it is: the
 *   one without the turn withdraws its wish and waits, so that the other one
 *   can pass. Compare the number of states with Peterson's algorithm, then
 *   remove the line that withdraws the wish, and find out which of the
 *   properties fails.
 * see: peterson, hyman
 * expect: safety holds
 * expect: ltl mutex holds
 * expect: ltl entry fair holds
 * states: 146
 * transitions: 275
 */

bool wants[2];
byte turn;
byte inside;

active [2] proctype Process()
{
  pid me = _pid;
  pid other = 1 - _pid;

  do
  :: wants[me] = true;
     do
     :: wants[other] ->                  /* competition */
        if
        :: turn == other ->
           wants[me] = false;            /* step back ...       */
           (turn == me);                 /* ... until it is our */
           wants[me] = true              /* turn, then insist   */
        :: else                          /* our turn: insist    */
        fi
     :: else -> break                    /* nobody else: go in  */
     od;
critical:
     inside++;
     assert(inside == 1);
     inside--;
     turn = other;
     wants[me] = false
  od
}

ltl mutex { [] (inside <= 1) }
ltl entry { [] (wants[0] -> <> Process[0]@critical) }

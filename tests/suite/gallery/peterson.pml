/*
 * title: Peterson's mutual exclusion
 * topic: Mutual exclusion
 * level: 1
 * lesson: Two processes share a critical section with nothing but ordinary
 *   variables. Each one first announces its wish, then gives the turn away, and
 *   waits only while the other one is interested and has the turn. The check
 *   visits every interleaving: never are both inside, and nobody is locked out
 *   as long as the scheduler is weakly fair. Without fairness one process may
 *   simply never be run, which is why 'entry' fails there.
 * see: peterson-swapped, dekker
 * expect: safety holds
 * expect: ltl mutex holds
 * expect: ltl entry violated
 * expect: ltl entry fair holds
 * states: 38
 * transitions: 65
 */

bool wants[2];  /* wants[i]: process i tries to enter, or is inside */
byte turn;      /* whose turn it is when both want to enter         */
byte inside;    /* how many are in the critical section: only the   */
                /* properties below look at it                      */

active [2] proctype Process()
{
  pid me = _pid;
  pid other = 1 - _pid;

  do
  :: wants[me] = true;
     turn = other;                       /* after you, please */
     (!wants[other] || turn == me);      /* wait until this is true */
critical:
     inside++;
     assert(inside == 1);
     inside--;
     wants[me] = false
  od
}

/* Never two at a time. */
ltl mutex { [] (inside <= 1) }

/* Whenever process 0 wants to enter, it will. */
ltl entry { [] (wants[0] -> <> Process[0]@critical) }

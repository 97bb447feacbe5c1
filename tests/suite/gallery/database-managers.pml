/*
 * title: Database managers
 * topic: Distributed algorithms
 * level: 2
 * lesson: N managers keep copies of the same data. A manager that changes its
 *   copy reserves the system, tells all the others, waits until everybody has
 *   carried out the change, and releases the system. Each of the other N - 1
 *   managers is in one of three states while an update is under way, and any of
 *   the N managers may be the one who updates; there is one more state with no
 *   update at all. So the model has N * 3 ^ (N - 1) + 1 states. Compare the
 *   count with the formula for several N: exponential growth that no clever
 *   hardware will ever catch up with.
 * parameters: N=5 2..9 number of managers
 * expect: safety holds
 * expect: ltl released fair holds
 * expect[N=2]: safety holds
 * expect[N=3]: safety holds
 * expect[N=4]: safety holds
 * expect[N=6]: safety holds
 * expect[N=7]: safety holds
 * expect[N=8]: safety holds
 * expect[N=9]: safety holds
 * states: 406
 * transitions: 1091
 * states[N=2]: 7
 * transitions[N=2]: 9
 * states[N=3]: 28
 * transitions[N=3]: 43
 * states[N=4]: 109
 * transitions[N=4]: 225
 * states[N=6]: 1459
 * transitions[N=6]: 4873
 * states[N=7]: 5104
 * transitions[N=7]: 20427
 * states[N=8]: 17497
 * transitions[N=8]: 81665
 * states[N=9]: 59050
 * transitions[N=9]: 314947
 */

#ifndef N
#define N 5
#endif

#define NOBODY N

mtype = { told, working, done };

byte updating = NOBODY;         /* the manager that has reserved the system */
mtype copy[N];                  /* 0: has not heard of the current update   */
byte finished;                  /* how many others have carried it out      */

hidden byte i;                  /* hidden: not part of the state */

active [N] proctype Manager()
{
end:
  do
  :: d_step {                           /* start an update, tell everybody */
       updating == NOBODY ->
       updating = _pid;
       for (i in copy) {
         if
         :: i != _pid -> copy[i] = told
         :: else
         fi
       }
     }
  :: d_step { copy[_pid] == told -> copy[_pid] = working }
  :: d_step { copy[_pid] == working -> copy[_pid] = done; finished++ }
  :: d_step {                           /* all have answered: release */
       updating == _pid && finished == N - 1 ->
       for (i in copy) {
         copy[i] = 0
       };
       finished = 0;
       updating = NOBODY
     }
  od
}

ltl released { [] (updating != NOBODY -> <> (updating == NOBODY)) }

/*
 * title: Cancelling a job that holds a lock
 * topic: Synchronisation
 * level: 2
 * lesson: The statement 'unless' interrupts a piece of work at any point as
 *   soon as its escape becomes executable: here, when the user cancels a
 *   download. If the download holds a lock at that moment, somebody has to give
 *   it back. With CLEANUP=0 nobody does, and everything stops for ever.
 *   CLEANUP=1 always releases the lock, even if it belongs to the logger: now
 *   the logger is no longer protected. Only CLEANUP=2, which releases the lock
 *   if and only if the download owns it, is right.
 * parameters: CLEANUP=0 0..2 0: keep the lock, 1: release it, 2: if owned
 * expect: safety violated invalid-end-state
 * expect[CLEANUP=1]: safety violated assertion
 * expect[CLEANUP=2]: safety holds
 * states: 27
 * transitions: 51
 * states[CLEANUP=1]: 49
 * transitions[CLEANUP=1]: 110
 * states[CLEANUP=2]: 25
 * transitions[CLEANUP=2]: 50
 */

#ifndef CLEANUP
#define CLEANUP 0
#endif

#define NOBODY 255

byte owner = NOBODY;            /* who holds the lock */
bool cancel;                    /* the user wants to stop the download */

inline acquire()
{
  atomic { owner == NOBODY -> owner = _pid }
}

active proctype Download()
{
  do
  :: {
       acquire();
       skip;                    /* write to the disk */
       owner = NOBODY
     } unless {
       atomic {
         cancel ->
         cancel = false;
         if
         :: CLEANUP == 1 || (CLEANUP == 2 && owner == _pid) ->
            owner = NOBODY
         :: else
         fi
       }
     }
  od
}

active proctype Logger()
{
  do
  :: acquire();
     assert(owner == _pid);     /* nobody took the lock away */
     owner = NOBODY
  od
}

active proctype User()
{
  cancel = true                 /* sooner or later, once */
}

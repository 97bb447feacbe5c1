/*
 * title: Readers and writers
 * topic: Synchronisation
 * level: 2
 * lesson: Any number of readers may look at the data at the same time, but a
 *   writer needs them for itself. Safety is easy to get right. The formula
 *   'served' asks for more: a waiting writer will write at some time. It fails
 *   even under weak fairness, because readers may take turns so that there is
 *   always one of them inside; the writer is never enabled for long. With
 *   PRIORITY=1 new readers stay outside while a writer waits, and the formula
 *   holds.
 * parameters: READERS=2 1..3 number of readers
 * parameters: WRITERS=2 1..3 number of writers
 * parameters: PRIORITY=0 0..1 1: waiting writers keep new readers out
 * expect: safety holds
 * expect: ltl exclusion holds
 * expect: ltl served fair violated
 * expect[PRIORITY=1]: safety holds
 * expect[PRIORITY=1]: ltl served fair holds
 * states: 44
 * transitions: 125
 * states[PRIORITY=1]: 44
 * transitions[PRIORITY=1]: 107
 */

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef PRIORITY
#define PRIORITY 0
#endif

byte reading;           /* how many readers are inside      */
byte waiting;           /* how many writers want to come in */
bool writing;           /* is a writer inside?              */

active [READERS] proctype Reader()
{
  do
  :: atomic {
       !writing && (!PRIORITY || waiting == 0) ->
       reading++
     };
     assert(!writing);
     reading--
  od
}

active [WRITERS] proctype Writer()
{
  do
  :: waiting++;
     atomic {
       !writing && reading == 0 ->
       writing = true;
       waiting--
     };
     assert(reading == 0);
     writing = false
  od
}

ltl exclusion { [] !(writing && reading > 0) }
ltl served { [] (waiting > 0 -> <> writing) }

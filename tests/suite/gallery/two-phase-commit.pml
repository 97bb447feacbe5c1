/*
 * title: Two-phase commit
 * topic: Distributed algorithms
 * level: 2
 * lesson: Several databases want to make a change everywhere or nowhere. First
 *   the coordinator collects votes: commit only if all say yes. Then it
 *   announces the decision. Whoever votes no may abort at once, but after a yes
 *   a database has to wait for the decision. The check shows that no two
 *   databases decide differently. With CRASH=1 the coordinator may fail at any
 *   moment of the second phase. Agreement still holds, but databases that voted
 *   yes wait for ever: the invalid end state shows the well-known weakness of
 *   the protocol, it blocks.
 * parameters: N=3 2..4 number of databases
 * parameters: CRASH=0 0..1 1: the coordinator may fail
 * expect: safety holds
 * expect: ltl agreement holds
 * expect: ltl decided holds
 * expect[CRASH=1]: safety violated invalid-end-state
 * expect[CRASH=1]: ltl agreement holds
 * expect[CRASH=1]: ltl decided violated
 * states: 4493
 * transitions: 11939
 * states[CRASH=1]: 5149
 * transitions[CRASH=1]: 13631
 */

#ifndef N
#define N 3
#endif
#ifndef CRASH
#define CRASH 0
#endif

mtype = { prepare, yes, no, commit, abort };

chan to_database[N] = [1] of { mtype };
chan to_coordinator = [N] of { mtype };

byte committed, aborted;        /* how many databases have decided */

active [N] proctype Database()
{
  to_database[_pid] ? prepare;
  if
  :: to_coordinator ! no ->
     aborted++                          /* no need to wait */
  :: to_coordinator ! yes ->
     if
     :: to_database[_pid] ? commit -> committed++
     :: to_database[_pid] ? abort -> aborted++
     fi
  fi
}

active proctype Coordinator()
{
  byte i;
  mtype vote, decision = commit;

  /* Phase 1: ask everybody, and collect the answers. */
  for (i : 0 .. N - 1) {
    to_database[i] ! prepare
  };
  for (i : 0 .. N - 1) {
    to_coordinator ? vote;
    if
    :: vote == no -> decision = abort
    :: else
    fi
  };

  /* Phase 2: tell everybody. */
  for (i : 0 .. N - 1) {
    if
    :: to_database[i] ! decision
    :: CRASH -> goto crashed
    fi
  };
crashed:
  skip
}

ltl agreement { [] !(committed > 0 && aborted > 0) }
ltl decided { <> (committed + aborted == N) }

/*
 * title: Clients and servers
 * topic: Synchronisation
 * level: 2
 * lesson: Clients send requests to whichever server takes them; is the first
 *   client always answered? With one server it is, because nothing else can
 *   move until it has answered. With two servers the one that holds the request
 *   may stand still for ever while the other works on: the cycle found is a
 *   run that no fair scheduler makes. Under weak fairness, where a process that
 *   can always move does move, the formula holds again.
 * parameters: CLIENTS=3 1..4 number of clients
 * parameters: SERVERS=1 1..3 number of servers
 * expect: safety holds
 * expect: ltl served holds
 * expect: ltl served fair holds
 * expect[CLIENTS=2, SERVERS=2]: safety holds
 * expect[CLIENTS=2, SERVERS=2]: ltl served violated
 * expect[CLIENTS=2, SERVERS=2]: ltl served fair holds
 * states: 44
 * transitions: 103
 * states[CLIENTS=2, SERVERS=2]: 22
 * transitions[CLIENTS=2, SERVERS=2]: 47
 */

#ifndef CLIENTS
#define CLIENTS 3
#endif
#ifndef SERVERS
#define SERVERS 1
#endif

chan request = [1] of { byte };     /* who asks */
chan answer[CLIENTS] = [1] of { bit };
bool waiting;                       /* client 0 has asked, no answer yet */

active [CLIENTS] proctype Client()
{
end:
  do
  :: atomic {
       request ! _pid;
       if
       :: _pid == 0 -> waiting = true
       :: else
       fi
     };
     answer[_pid] ? 1
  od
}

active [SERVERS] proctype Server()
{
  byte who;
end:
  do
  :: request ? who;
     atomic {
       answer[who] ! 1;
       if
       :: who == 0 -> waiting = false
       :: else
       fi;
       who = 0
     }
  od
}

ltl served { [] (waiting -> <> !waiting) }

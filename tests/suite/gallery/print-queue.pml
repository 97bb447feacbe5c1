/*
 * title: A print queue with priorities
 * topic: Language features
 * level: 2
 * lesson: A buffered channel is a queue, but it need not be first in, first
 *   out. The sorted send '!!' inserts a message before the first one that is
 *   larger, so small numbers come first: here, urgent jobs. The random receive
 *   '??' takes the oldest message that matches, wherever it stands: here, each
 *   client fetches its own receipt. A poll such as 'jobs??[1, _]' only looks.
 *   With SORTED=0 the printer may start an ordinary job while an urgent one is
 *   waiting. Priorities have a price: the formula 'served' fails, since a
 *   stream of urgent jobs keeps an ordinary one waiting for ever.
 * parameters: CLIENTS=3 1..3 number of clients
 * parameters: SORTED=1 0..1 1: sorted send, 0: plain send
 * expect: safety holds
 * expect: ltl served fair violated
 * expect[SORTED=0]: safety violated assertion
 * states: 1363
 * transitions: 4137
 * states[SORTED=0]: 1511
 * transitions[SORTED=0]: 4381
 */

#ifndef CLIENTS
#define CLIENTS 3
#endif
#ifndef SORTED
#define SORTED 1
#endif

#define URGENT   1
#define ORDINARY 2

chan jobs = [CLIENTS] of { byte, pid };         /* urgency, client */
chan receipts = [CLIENTS] of { pid };

active [CLIENTS] proctype Client()
{
  byte urgency;

  do
  :: if
     :: urgency = URGENT
     :: urgency = ORDINARY
     fi;
waiting:
#if SORTED
     jobs !! urgency, _pid;
#else
     jobs ! urgency, _pid;
#endif
     receipts ?? eval(_pid);
served:
     urgency = 0
  od
}

active proctype Printer()
{
  byte urgency;
  pid client;

  do
  :: atomic {
       jobs ? urgency, client ->
       assert(urgency == URGENT || !(jobs ?? [URGENT, _]))
     };
     atomic {
       receipts ! client;
       urgency = 0;
       client = 0
     }
  od
}

/* Every job of client 0 is printed at some time. */
ltl served { [] (Client[0]@waiting -> <> Client[0]@served) }

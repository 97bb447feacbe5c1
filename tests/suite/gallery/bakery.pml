/*
 * title: Lamport's bakery
 * topic: Mutual exclusion
 * level: 2
 * lesson: Every customer draws a ticket one larger than all tickets in sight,
 *   and the smallest ticket is served first. Drawing takes several steps, so
 *   two customers may draw the same number; then the smaller process number
 *   wins. The flag 'choosing' says that somebody is still reading the other
 *   tickets, and everybody waits for such a customer. Set CHOOSING to 0 to see
 *   why the flag is needed. Tickets grow without bound, so each process enters
 *   only ROUNDS times; that keeps the model finite.
 * parameters: N=3 2..3 number of processes
 * parameters: ROUNDS=1 1..2 how often each process enters
 * parameters: CHOOSING=1 0..1 1: processes wait for those still choosing
 * expect: safety holds
 * expect[N=2, ROUNDS=2]: safety holds
 * expect[N=2, CHOOSING=0]: safety violated assertion
 * states: 92254
 * transitions: 252306
 * states[N=2, ROUNDS=2]: 6745
 * transitions[N=2, ROUNDS=2]: 12701
 * states[N=2, CHOOSING=0]: 1411
 * transitions[N=2, CHOOSING=0]: 2677
 */

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef CHOOSING
#define CHOOSING 1
#endif

bool choosing[N];   /* choosing[i]: i is reading the tickets of the others */
byte ticket[N];     /* 0: not interested                                   */
byte inside;

/* Process i with ticket t goes before process j with ticket u. */
#define BEFORE(t, i, u, j)  (t < u || (t == u && i < j))

active [N] proctype Customer()
{
  byte round, i, largest;

  for (round : 1 .. ROUNDS) {
    /* Draw a ticket: read all the others one by one. */
    choosing[_pid] = true;
    for (i in ticket) {
      largest = (ticket[i] > largest -> ticket[i] : largest)
    }
    ticket[_pid] = largest + 1;
    choosing[_pid] = false;

    /* Wait for everybody who comes first. */
    for (i in ticket) {
      (!CHOOSING || !choosing[i]);
      (ticket[i] == 0 || !BEFORE(ticket[i], i, ticket[_pid], _pid))
    }

    inside++;
    assert(inside == 1);
    inside--;
    d_step {
      ticket[_pid] = 0;
      largest = 0               /* forget what is no longer needed */
    }
  }
}

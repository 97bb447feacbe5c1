/*
 * title: A stack without locks and the ABA problem
 * topic: Synchronisation
 * level: 3
 * lesson: A linked stack without locks: a thread reads the top, prepares the
 *   change, and makes it with one compare-and-swap if the top is still the
 *   same. But the same top does not mean that nothing happened. While one
 *   thread pauses within pop, the other may take A, take B, and put A back. The
 *   swap then succeeds and makes B the top, although B is no longer in the
 *   stack: two threads own the same node. With VERSION=1 the top carries a
 *   number that changes with every swap, and the error is gone.
 * parameters: VERSION=0 0..1 1: the top carries a version number
 * parameters: ROUNDS=1 1..3 how often each thread works
 * expect: safety violated assertion
 * expect[VERSION=1]: safety holds
 * states: 12068
 * transitions: 22805
 * states[VERSION=1]: 7057
 * transitions[VERSION=1]: 13276
 */

#ifndef VERSION
#define VERSION 0
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

#define NODES 2
#define NIL   NODES             /* the end of the list */

byte top = 0;                   /* the list is 0, 1, NIL */
byte next[NODES];
byte version;                   /* counts the swaps */
bool owned[NODES];              /* owned[n]: some thread has taken node n */

/* If the top has not changed, set it, in one step. */
inline compare_and_swap(old, old_version, new, success)
{
  d_step {
    if
    :: top == old && (!VERSION || version == old_version) ->
       top = new;
       version = version + VERSION;
       success = true
    :: else ->
       success = false
    fi
  }
}

/* Take the top node, or NIL if there is none. */
inline pop(node)
{
  do
  :: d_step { node = top; seen = version };
     if
     :: node == NIL -> break
     :: else
     fi;
     other = next[node];
     compare_and_swap(node, seen, other, done);
     if
     :: done ->
        assert(!owned[node]);
        owned[node] = true;
        break
     :: else
     fi
  od;
  atomic { done = false; other = 0; seen = 0 }
}

/* Put a node on top, if there is one. */
inline push(node)
{
  do
  :: node == NIL -> break
  :: else ->
     d_step { other = top; seen = version };
     next[node] = other;
     owned[node] = false;
     compare_and_swap(other, seen, node, done);
     if
     :: done -> break
     :: else
     fi
  od;
  atomic { done = false; other = 0; seen = 0 }
}

proctype Thread()
{
  byte first, second, other, seen, round;
  bool done;

  for (round : 1 .. ROUNDS) {
    pop(first);
    pop(second);
    push(first);
    push(second)
  }
}

init
{
  next[0] = 1;
  next[1] = NIL;
  atomic {
    run Thread();
    run Thread()
  }
}

/*
 * title: Needham-Schroeder and Lowe's attack
 * topic: Security
 * level: 3
 * lesson: Alice and Bob exchange secrets, encrypted with public keys, to make
 *   sure of each other. The protocol of 1978 was believed to be right for 17
 *   years. Then Gavin Lowe found that if Alice talks to a dishonest Mallory, he
 *   can make Bob believe that he is Alice. All messages go through Mallory, who
 *   cannot break encryption, but may keep, repeat and forge messages from what
 *   he knows. In the counterexample find the three messages of Alice's run and
 *   the three of Bob's, woven into one another. With FIX=1 Bob puts his name
 *   into the second message, and the attack is gone.
 * parameters: FIX=0 0..1 1: Lowe's repaired protocol
 * expect: safety violated assertion
 * expect: ltl secret violated
 * expect[FIX=1]: safety holds
 * expect[FIX=1]: ltl secret holds
 * states: 135
 * transitions: 269
 * states[FIX=1]: 130
 * transitions[FIX=1]: 226
 */

#ifndef FIX
#define FIX 0
#endif

/* Agents. The secret of an agent, and its key, have the number of the agent. */
#define NOBODY  0
#define ALICE   1
#define BOB     2
#define MALLORY 3

mtype = { msg1, msg2, msg3 };

/* A message: its kind, whose key it is encrypted with, and the contents.
     msg1  secret of the sender, name of the sender
     msg2  secret that was received, secret of the sender [, FIX: name]
     msg3  secret that was received                                       */
chan from_agents = [0] of { mtype, byte, byte, byte, byte };
chan to_agents   = [0] of { mtype, byte, byte, byte, byte };

byte alice_talks_to, bob_talks_to;
bool bob_done;

/* Whose secrets Mallory knows: at first only his own. */
bool knows[4] = { false, false, false, true };

active proctype Alice()
{
  byte secret;

  if
  :: alice_talks_to = BOB
  :: alice_talks_to = MALLORY
  fi;
  from_agents ! msg1, alice_talks_to, ALICE, ALICE, 0;
end:
#if FIX
  to_agents ? msg2, ALICE, ALICE, secret, eval(alice_talks_to);
#else
  to_agents ? msg2, ALICE, ALICE, secret, _;
#endif
  from_agents ! msg3, alice_talks_to, secret, 0, 0
}

active proctype Bob()
{
  byte secret;

end_first:
  to_agents ? msg1, BOB, secret, bob_talks_to, _;
  from_agents ! msg2, bob_talks_to, secret, BOB, (FIX -> BOB : 0);
end_second:
  to_agents ? msg3, BOB, BOB, _, _;
  bob_done = true;
  assert(bob_talks_to != ALICE || alice_talks_to == BOB)
}

/* Mallory. What he cannot read he keeps: one message of each kind is enough,
   since the agents send no more. */
typedef Message {
  byte key;
  byte first;
  byte second;
  byte third
}

/* What Mallory may send. A message encrypted for NOBODY cannot be received, so
   this is how we say that he is not able to make it. */
#define KEEP(kind, k) \
  :: to_agents ! kind, kept[k].key, kept[k].first, kept[k].second, kept[k].third

#define MAKE1(secret, name) \
  :: to_agents ! msg1, (knows[secret] -> BOB : NOBODY), secret, name, 0
#define MAKE2(secret, name) \
  :: to_agents ! msg2, (knows[ALICE] && knows[secret] -> ALICE : NOBODY), \
       ALICE, secret, name
#define MAKE3(secret) \
  :: to_agents ! msg3, (knows[secret] -> BOB : NOBODY), secret, 0, 0

active proctype Mallory()
{
  Message kept[3];
  mtype kind;
  byte key, first, second, third;

end:
  do
  :: d_step {
       from_agents ? kind, key, first, second, third ->
       if
       :: key == MALLORY ->             /* his own key: read it */
          knows[first] = true;
          if
          :: kind == msg2 -> knows[second] = true
          :: else
          fi
       :: else ->                       /* keep it, unread */
          kept[msg1 - kind].key = key;
          kept[msg1 - kind].first = first;
          kept[msg1 - kind].second = second;
          kept[msg1 - kind].third = third
       fi;
       kind = 0; key = 0; first = 0; second = 0; third = 0
     }

  KEEP(msg1, 0)
  KEEP(msg2, 1)
  KEEP(msg3, 2)

  MAKE1(ALICE, ALICE)    MAKE1(ALICE, MALLORY)
  MAKE1(BOB, ALICE)      MAKE1(BOB, MALLORY)
  MAKE1(MALLORY, ALICE)  MAKE1(MALLORY, MALLORY)

  MAKE2(ALICE, BOB)      MAKE2(ALICE, MALLORY)
  MAKE2(BOB, BOB)        MAKE2(BOB, MALLORY)
  MAKE2(MALLORY, BOB)    MAKE2(MALLORY, MALLORY)

  MAKE3(ALICE)
  MAKE3(BOB)
  MAKE3(MALLORY)
  od
}

/* If Bob has finished a run with Alice, his secret is still a secret. */
ltl secret { [] !(bob_done && bob_talks_to == ALICE && knows[BOB]) }

/*
 * title: Farmer, wolf, goat and cabbage
 * topic: Puzzles
 * level: 1
 * lesson: A farmer wants to cross a river with a wolf, a goat and a cabbage.
 *   The boat carries him and one of them. Left alone, the wolf eats the goat,
 *   and the goat eats the cabbage. The trick is to claim the opposite of what
 *   we want: the assertion says that not all of them ever get across. The
 *   counterexample is the solution. Search breadth-first to get the shortest
 *   one, with seven crossings.
 * see: jugs
 * expect: safety violated assertion
 * expect: ltl impossible violated
 * states: 48
 * transitions: 63
 */

mtype = { here, there };        /* the two banks */

mtype farmer  = here;
mtype wolf    = here;
mtype goat    = here;
mtype cabbage = here;

#define OTHER(bank)  (bank == here -> there : here)

#define EATEN \
  ((wolf == goat || goat == cabbage) && farmer != goat)

#define ALL_ACROSS \
  (farmer == there && wolf == there && goat == there && cabbage == there)

/* The farmer takes somebody along who is on the same bank. */
inline take(passenger)
{
  d_step {
    passenger == farmer ->
    farmer = OTHER(farmer);
    passenger = farmer
  }
}

active proctype Crossing()
{
  do
  :: EATEN -> break                     /* this attempt has failed */
  :: else ->
     assert(!ALL_ACROSS);
     if
     :: take(wolf)
     :: take(goat)
     :: take(cabbage)
     :: farmer = OTHER(farmer)          /* alone */
     fi
  od
}

/* The same claim as a formula: it is not so that nothing gets eaten until all
   have arrived. */
ltl impossible { !(!EATEN U ALL_ACROSS) }

//! The help texts.

/// What help is asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Topic {
    /// All commands.
    All,
    /// `check`.
    Check,
    /// `simulate`.
    Simulate,
    /// `trace`.
    Trace,
    /// `share`.
    Share,
    /// `ltl`.
    Ltl,
    /// `grade`.
    Grade,
    /// `assignment`.
    Assignment,
}

/// The text.
pub(crate) fn text(topic: Topic) -> &'static str {
    match topic {
        Topic::All => ALL,
        Topic::Check => CHECK,
        Topic::Simulate => SIMULATE,
        Topic::Trace => TRACE,
        Topic::Share => SHARE,
        Topic::Ltl => LTL,
        Topic::Grade => crate::course::help::GRADE,
        Topic::Assignment => crate::course::help::ASSIGNMENT,
    }
}

const ALL: &str = "\
Promenade checks models written in Promela.

  promenade check FILE.pml [options]      check a model
  promenade simulate FILE.pml [options]   one random run
  promenade trace LINK-OR-FILE            the steps of a counterexample
  promenade share FILE.pml [options]      a link to a model
  promenade ltl 'FORMULA' [options]       what a formula says, and its automaton
  promenade grade ASSIGNMENT SUBMISSION.. grade submissions of a course
  promenade assignment check FILE         an assignment's dry run; also seal, mutants, html
  promenade help [COMMAND]                this text, or that of a command
  promenade version                       the version

FILE may be `-` for the standard input. Files that the text includes are looked for
beside it. A value is given as `--memory 64` or `--memory=64`; `--` ends the options.

Exit codes:
  0  holds (or the command did what it was asked)
  1  violated
  2  not conclusive: no violation found, but not everything was explored
  3  error in the input: the text, the formula, the file or the link
  4  wrong usage, also options that do not go with each other or with the property
  5  a mistake of the checker itself
  6  the output could not be written, for example to a full disk
";

const CHECK: &str = "\
promenade check FILE.pml [options]

What is checked (one of the first five options at most)
                       without one of them: safety, that is, assertions, invalid end
                       states, run-time errors
  --claim [NAME]       safety, while a never claim of the text moves along (the first, if
                       no name is given)
  --ltl [NAME]         every run satisfies the formula of an ltl block of the text
  --formula 'F'        every run satisfies the formula F, written as in an ltl block; or no
                       run is accepted by F, a never claim or an automaton in the Hanoi
                       format
  --acceptance [NAME]  no infinite run comes again and again to an accept label, of a
                       process or of a never claim (as `pan -a`)
  --progress           every infinite run comes again and again to a progress label
                       (as `pan -DNP -l`; also `--non-progress`)
  --fairness none|weak with `weak`, only infinite runs count in which no process stands
                       still for ever although it could always move
                       (of no effect on properties of finite runs, which are safety and
                       --claim)
  --algorithm NAME     how accepting cycles are looked for: automatic (default),
                       nested-dfs (no fairness), generalised-nested-dfs, couvreur,
                       couvreur-shy, couvreur-without-rem, geldenhuys-valmari and
                       nested-dfs-original (both no fairness) (likewise)
  --no-assertions      do not check assertions
  --no-end-states      do not report invalid end states
  --empty-channels     a valid end state needs empty channels

What the model means
  --define N=3, -DN=3  set a macro; may be repeated
  --lose-messages      messages sent to full channels are lost
  --inner-unless       inner `unless` escapes win over outer ones

How far the search goes
  --search dfs|bfs     depth-first (default), or breadth-first: shortest counterexample
  --all-errors         go on after the first error and count all
  --stop-at N          stop at the Nth error (one of these two at most)
  --keep N             keep N errors with a run, as far as a sixteenth of the memory goes;
                       1 to 1000 (default 20)
  --memory MB          memory budget in megabytes of 1,048,576 bytes (default 1024). It is
                       not exceeded; a sixteenth of it is for the steps from one state,
                       which a very long atomic or d_step sequence may use up
  --depth N            at most N steps deep
  --states N           at most N states; several searchers stop after the level in which
                       they have passed them
  --time SECONDS       at most this long, reading text and formula included
Ctrl+C ends the search with what was found up to then; a second one ends the program.

How states are kept, and which are left out
  --store NAME         exact (default): whole states, a proof; automatic: exact as long as
                       that fits into the memory, then signatures; collapse: exact, parts of
                       states stored once each; automaton: exact, smallest and slow;
                       delta: exact, small for long states, slow (most states are a step
                       from another); caching: exact, forgets states when the memory is full (depth-first
                       only); hash-compact: a signature a state;
                       bitstate: some bits a state. Properties of infinite runs need exact
                       or automatic
  --hashes N           bits a state for bitstate, 1 to 64 (default 3)
  --probing NAME       how they are placed: triple (default), from three numbers of one hash;
                       double or enhanced, from two; independent, from a hash function each:
                       most accurate, slowest; blocked, in one block of 512: fastest, misses
                       more with as many bits
  --cell-bits N        bits of a signature for hash-compact and automatic, 4 to 64
                       (default 32)
  --chain N            longest chain of steps for delta, 0 to 63 (default 9)
  --seed N             another seed for signatures, bits and the cache: an independent trial
                       (these five are refused where nothing uses them)
  --reduction auto|none|ample
                       with `ample`, partial-order reduction: the steps of one process
                       stand for all where the property allows that; auto (default): so from
                       10,000 states on, where the search is depth first and for one error,
                       and with bitstate, hash-compact and caching from the start
  --proviso NAME       how such a search makes sure that no process is put off for ever:
                       automatic (default); dynamic, it looks at its stack or queue; static,
                       loops of processes are broken beforehand, which goes with every search
                       (refused without a reduction)
  --merge              statement merging: steps that nobody can notice are made together
                       with the step before (safety without a claim)
  --dead-variables keep|reset
                       with `reset`, local variables are 0 wherever they will not be read
                       before they are written: fewer states, the same verdict (default
                       keep: the states of the text)
  --write-only leave-out|keep
                       global variables that are only assigned, counted and printed are no
                       part of a state (default), as in SPIN without -o2, or are one

Several threads
  --searchers N        N threads share the states: breadth-first, exact, the numbers of one
  --swarm N            N threads search alone, each with another seed and another order of
                       steps, and share the memory; the first error ends all. For stores
                       that may miss states: together they miss fewer
  --shuffle N          another order of the steps of a state (0: as in the text), for
                       depth-first search

  --engine NAME        who makes the steps: auto (default), the interpreter, and compiled code
                       if the search lasts; interpret; compiled, from the first step on

  --spin-counting      count as `spin -a -o1 -o2 -o3` and `pan -DSAFETY -DNOREDUCE -c0` do:
                       no reductions (a note says so where some were asked for), all errors
                       (not with --stop-at), with the first never claim of the text.
  --json               one JSON object instead of text; also if the file cannot be read or
                       the command line is wrong. Its `verdict` is holds, violated,
                       no_violation_found, input_error, usage_error or internal_error

Exit code: 0 holds, 1 violated, 2 not conclusive, 3 error in the input, 4 wrong usage, also
options that do not go with each other or with the property, 5 a mistake of the checker
itself, 6 the output could not be written.
";

const SIMULATE: &str = "\
promenade simulate FILE.pml [options]

One random run: its steps, and what printf prints.

  --seed N             another run (default 1); the same seed gives the same run
  --steps N            at most N steps (default 1000)
  --define N=3, -DN=3  set a macro; may be repeated
  --claim [NAME], --no-assertions, --lose-messages, --inner-unless
                       as for `promenade check`

Exit code: 0, 1 if the run ends in a violation or a deadlock, 2 if the steps from some state
are too many to follow, 3 for an error in the input.
";

const TRACE: &str = "\
promenade trace LINK-OR-FILE

Prints the steps of a counterexample after executing it again. It is taken from a link, from
a file that contains a link, or from a file that `promenade check --json` has written.

Exit code: 1 if the run shows its violation, 2 if it does not fit any more, 3 if there is no
counterexample.
";

const SHARE: &str = "\
promenade share FILE.pml [options]

Prints the part of a link behind the address of the page: `#1..`. It contains the files and
the options (those of `promenade check` that say what is checked, and how). Nothing is sent
anywhere.

  --trace              check first, and put the counterexample into the link
  --searchers N, --swarm N
                       how many threads make that check; the link does not say it
";

const LTL: &str = "\
promenade ltl 'FORMULA' [options]
promenade ltl --never FILE [options]

Says how a formula is read, what it means for checking, and which automata it becomes. The
formula is written as in an ltl block; other spellings are read too. In place of a formula
an automaton may be given, in the Hanoi format or as a never claim: it says which runs must
not exist.

  --format text        what is known of it (default)
  --format hoa|dot|never|latex|json
                       the automaton in the Hanoi format or for Graphviz, a never claim of
                       the negation, the formula for LaTeX, everything as one JSON object
  --tgba               several acceptance sets on edges (default)
  --ba                 accepting states instead
  --raw                the automaton as constructed, not simplified
  --via best|alternating
                       the smallest automaton that several ways lead to (default), or by way
                       of the very weak alternating automaton
  --negate             the same for the negation of the formula; not for automata, whose
                       complement is not made
  --never FILE         read a never claim from a file, or from the standard input with `-`

Exit code: 0, or 3 if the formula cannot be read.
";

//! Rows where Promenade differs from SPIN on purpose, each by name with its reason.

const INDEX: &str = "a bad array index ends its path; SPIN reads on outside of the array";
const C_CODE: &str = "embedded C cannot run here and is refused with a hint";
const LTL: &str =
    "SPIN's safety run takes its own automaton of the formula along; here formulas are properties";
const ZERO: &str = "division by zero is an error with a trace; SPIN's verifier dies";
const LOOP: &str = "an unconditional self loop is accepted as a loop; SPIN's verifier refuses it";
const VECTOR: &str = "no limit on the state vector";

const TRAP: &str = "a formula inside a comparison is refused instead of read as a number";

/// `(set/file, reason)`. An entry holds for every row of the file that is not equal; it must not
/// be there if all rows of the file are equal.
pub const EXCEPTIONS: &[(&str, &str)] = &[
    ("micro/a14-selfloop.pml", LOOP),
    ("micro/a15-selfloop-true.pml", LOOP),
    ("micro/b07-run-254ok.pml", VECTOR),
    ("micro/c07-array-bounds.pml", INDEX),
    ("micro/c08-array-neg.pml", INDEX),
    ("micro/c09-array-const-bounds.pml", INDEX),
    ("micro/c16-div-zero.pml", ZERO),
    ("micro/c17-mod-zero.pml", ZERO),
    ("micro/c29-typedef-array-index.pml", INDEX),
    ("micro/d36-chan-array-bounds.pml", INDEX),
    ("micro/l34-multi-decl-chan.pml", "a comma after a channel initializer is accepted"),
    ("micro/p14-comma-after-list.pml", "a comma after a list of values is accepted"),
    ("micro/l43-huge-vector.pml", VECTOR),
    ("micro/l52-for-typedef-array.pml", "`for` over an array in a structure is accepted"),
    ("micro/k01-c-code.pml", C_CODE),
    ("micro/k02-c-expr.pml", C_CODE),
    ("micro/k03-c-code-local.pml", C_CODE),
    ("micro/k04-c-decl-state.pml", C_CODE),
    ("micro/k05-c-track.pml", C_CODE),
    ("micro/k06-c-untracked.pml", C_CODE),
    ("micro/k07-c-code-prec.pml", C_CODE),
    ("micro/k08-d-step-c.pml", C_CODE),
    ("micro/e25-atomic-loop.pml", "an endless loop inside an atomic is reported, not cut by depth"),
    ("micro/h08-remote-wrong-type.pml", "a reference to a process of another type is an error"),
    ("micro/h27-never-timeout.pml", "timeout in a claim always means that no process can move"),
    ("spin-examples/LTL/bakery.pml", LTL),
    ("spin-examples/LTL/diskhead.pml", LTL),
    ("spin-examples/LTL/ltl_always_eventually.pml", LTL),
    ("spin-examples/LTL/ltl_example.pml", LTL),
    ("spin-examples/LTL/mobile1.pml", LTL),
    ("spin-examples/LTL/mobile2.pml", LTL),
    ("spin-examples/LTL/train.pml", LTL),
    ("spin-examples/LTL/zune.pml", LTL),
    ("spin-examples/Exercises/ex_3a.pml", LTL),
    ("reports/r08-array-to-inline.pml", "an array name as an inline's argument is accepted"),
    ("reports/r22-inline-depth.pml", "inlines may be nested deeper than 16"),
    (
        "micro/h20-never-safety.pml",
        "a claim at its end is reported once per state; SPIN lets it die, and reports that again",
    ),
    ("micro/h38-ltl-next.pml", "`X` is read in every build; SPIN reads it only if built with NXT"),
    ("micro/h57-ltl-and-forms.pml", "`/\\` and `\\/` are read, as SPIN's manual says"),
    (
        "micro/l17-nfair-limit.pml",
        "fairness for 63 processes; SPIN's verifier has to be built anew",
    ),
    ("micro/m55-fair-fg.pml", "SPIN misses a weakly fair counterexample (-a -f), see the model"),
    ("micro/m58-ltl-nested-in-compare.pml", TRAP),
    ("reports/r24-ltl-precedence-trap.pml", TRAP),
    ("micro/d38-chan-uninit.pml", "reported once per state; SPIN reports at each evaluation"),
    ("micro/d39-chan-uninit-len.pml", "reported once per state; SPIN reports at each evaluation"),
    ("micro/d65-eval-struct.pml", "eval of a structure's field is accepted, as in newer sources"),
    ("micro/h01-remote-label.pml", LTL),
    ("micro/l13-priority-rv.pml", "priorities beside rendezvous are accepted"),
    ("reports/r40-all-checks-in-one.pml", LTL),
];

/// The reason why a model may differ, if it is listed.
pub fn reason(name: &str) -> Option<&'static str> {
    EXCEPTIONS.iter().find(|(listed, _)| *listed == name).map(|(_, reason)| *reason)
}

/// A difference that no model of the corpus shows.
#[derive(Clone, Copy, Debug)]
pub struct Beyond {
    /// Name.
    pub name: &'static str,
    /// A model that shows it; its never claim moves along, if it has one.
    pub text: &'static str,
    /// Whether acceptance cycles are looked for, and not only safety.
    pub cycles: bool,
    /// States stored, matched, and errors, here.
    pub ours: (u64, u64, u64),
    /// The same in SPIN 6.5 with `-DSAFETY -DNOREDUCE -c0`, or with `-DNOREDUCE -a -E`; none where it
    /// refuses the text.
    pub spins: Option<(u64, u64, u64)>,
    /// Why.
    pub reason: &'static str,
}

const NR_PR: &str = "a claim is not counted as a process; SPIN counts it";
const END_OF_CLAIM: &str =
    "a claim at its end is reported once per state; SPIN lets it die in a step of its own";

const ARRAY_IN_MESSAGE: &str = "a structure of a message may hold an array of structures: its fields are those of all elements, in \
     order, as for an array of numbers, which SPIN takes";

/// All of them, each tested.
pub const BEYOND: &[Beyond] = &[
    Beyond {
        name: "hidden unsigned",
        text: "hidden unsigned z : 3; byte a; active proctype P() { z = 9; a = z; assert(a == 1) }",
        cycles: false,
        ours: (5, 0, 0),
        spins: Some((5, 0, 1)),
        reason: "a hidden unsigned has its width; SPIN's verifier keeps 8 bits of any",
    },
    Beyond {
        name: "_nr_pr in a claim",
        text: "byte x; active proctype P() { x = 1 } never { do :: _nr_pr == 2 od }",
        cycles: false,
        ours: (1, 0, 0),
        spins: Some((3, 0, 0)),
        reason: NR_PR,
    },
    Beyond {
        name: "_nr_pr beside a claim",
        text: "byte x; active proctype P() { _nr_pr == 1 -> x = 1; _nr_pr == 2 -> x = 2 }\n\
               never { do :: true od }",
        cycles: false,
        ours: (3, 1, 0),
        spins: Some((1, 1, 0)),
        reason: NR_PR,
    },
    Beyond {
        name: "as many processes as there can be beside a claim",
        text: "proctype Q() { false } active proctype P() { do :: run Q() od }\n\
               never { do :: true od }",
        cycles: false,
        ours: (255, 0, 1),
        spins: Some((254, 0, 1)),
        reason: NR_PR,
    },
    Beyond {
        name: "assertion in a claim",
        text: "byte x; active proctype P() { x = 1 } never { do :: assert(x == 0) od }",
        cycles: false,
        ours: (3, 1, 4),
        spins: Some((3, 1, 3)),
        reason: "an assertion of a claim is checked once more where the processes are stuck",
    },
    Beyond {
        name: "claim ends in a deadlock",
        text: "byte x; active proctype P() { x = 1; x = 2; false; x = 3 }\n\
               never { do :: x < 2 :: x == 2 -> break od }",
        cycles: false,
        ours: (3, 0, 2),
        spins: Some((3, 0, 1)),
        reason: END_OF_CLAIM,
    },
    Beyond {
        name: "claim ends with the last process",
        text: "active proctype P() { skip } never { skip; skip; skip }",
        cycles: false,
        ours: (3, 0, 2),
        spins: Some((4, 0, 2)),
        reason: END_OF_CLAIM,
    },
    Beyond {
        name: "claim ends after the last process",
        text: "active proctype P() { skip } never { skip; skip; skip; skip; skip }",
        cycles: false,
        ours: (5, 0, 1),
        spins: Some((6, 0, 2)),
        reason: END_OF_CLAIM,
    },
    Beyond {
        name: "d_step straight after a loop",
        text: "byte n; active proctype P() {\n\
               do :: n < 3 -> n++ :: else -> break od; d_step { n = 0; n = 1 } }",
        cycles: false,
        ours: (10, 0, 0),
        spins: None,
        reason: "the first step of a d_step sequence may be reached by `break` or `goto`; SPIN \
                 refuses the jump",
    },
    Beyond {
        name: "array of structures in a message",
        text: "typedef In { byte a; byte b[2] } typedef Out { In x[2]; byte c }\n\
               chan q = [1] of { Out };\n\
               init { Out o, p; o.x[0].a = 1; o.x[1].a = 2; o.x[1].b[1] = 3; o.c = 4; q!o; q?p;\n\
               assert(p.x[0].a == 1 && p.x[1].a == 2 && p.x[1].b[1] == 3 && p.c == 4) }",
        cycles: false,
        ours: (9, 0, 0),
        spins: None,
        reason: ARRAY_IN_MESSAGE,
    },
    Beyond {
        name: "array of structures deep in a message",
        text: "typedef In { byte a } typedef Mid { In y[1] } typedef Out { Mid x; byte c }\n\
               chan q = [1] of { byte, Out };\n\
               init { Out o, p; o.x.y[0].a = 3; q!7,o; q?7,p; assert(p.x.y[0].a == 3) }",
        cycles: false,
        ours: (6, 0, 0),
        spins: None,
        reason: ARRAY_IN_MESSAGE,
    },
    Beyond {
        name: "claim goes on after the last process",
        text: "byte g; active proctype P() { g = 2 }\n\
               never { S: do :: true -> goto T od; T: do :: true -> goto S od; accept: skip }",
        cycles: true,
        ours: (4, 1, 0),
        spins: Some((3, 1, 0)),
        reason: "where a run has come to its end, a claim makes one step at a time; SPIN makes two",
    },
];

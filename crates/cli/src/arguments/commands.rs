//! The commands and their options, as clap reads them. What the catalogue of options has comes from
//! there.

use clap::builder::PossibleValue;
use clap::{Arg, ArgAction, Command};
use promenade_protocol::OptionId;
use promenade_protocol::options::{Group, Kind, words};

/// The page where links lead unless something else is said: what `cargo xtask serve` serves.
pub(crate) const PAGE: &str = "http://127.0.0.1:8080/";

/// Exit codes.
const EXIT: &str = "\
Exit codes:
  0  holds (or the command did what it was asked)
  1  violated
  2  not conclusive: no violation found, but not everything was explored
  3  error in the input: the text, the formula, the file or the link
  4  wrong usage, also options that do not go with each other or with the property
  5  a mistake of the checker itself
  6  the output could not be written, for example to a full disk";

/// The program.
pub(crate) fn all() -> Command {
    with_help(program())
}

fn program() -> Command {
    Command::new("promenade")
        .about("Promenade checks models written in Promela.")
        .after_long_help(format!(
            "FILE may be `-` for the standard input. Files that the text includes are looked for beside \
             it.\nA value is given as `--memory 64` or `--memory=64`; `--` ends the options.\n\n{EXIT}"
        ))
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .subcommands([check(), simulate(), trace(), share(), ltl(), grade(), assignment()])
        .subcommands([
            Command::new("completions").about("Prints completions for a shell").arg(
                Arg::new("shell").value_name("SHELL").value_parser(["bash", "zsh", "fish"]),
            ),
            Command::new("man").about("Prints the manual page"),
            Command::new("help").about("Prints this text, or that of a command").arg(
                Arg::new("command").value_name("COMMAND"),
            ),
            Command::new("version").about("Prints the version"),
        ])
}

/// A text in lines that fit beside the names of options.
fn lines(text: &str) -> String {
    let mut out = String::new();
    for paragraph in text.split('\n') {
        let mut width = 0;
        for word in paragraph.split(' ') {
            if width > 0 && width + 1 + word.chars().count() > 78 {
                out.push('\n');
                width = 0;
            } else if width > 0 {
                out.push(' ');
                width += 1;
            }
            out.push_str(word);
            width += word.chars().count();
        }
        out.push('\n');
    }
    out.trim_end().to_owned()
}

fn flag(long: &'static str, help: &str) -> Arg {
    // Given twice it is the same.
    Arg::new(long).long(long).action(ArgAction::SetTrue).overrides_with(long).help(lines(help))
}

fn value(long: &'static str, name: &'static str, help: &str) -> Arg {
    Arg::new(long).long(long).value_name(name).action(ArgAction::Append).help(lines(help))
}

/// A value that may be left out; if not, it stands behind `=` (see [`super::joined`]).
fn may_have(long: &'static str, name: &'static str, help: &str) -> Arg {
    let arg = value(long, name, help);
    arg.num_args(0..=1).require_equals(true).default_missing_value("")
}

/// What is no option. More than one is told apart later, with a better sentence.
fn files(name: &'static str, help: &'static str) -> Arg {
    Arg::new("files")
        .value_name(name)
        .num_args(0..)
        .help(help)
        .value_hint(clap::ValueHint::FilePath)
}

const PRINTED: &str = "How it is done, and what is printed";
const MODEL: &str = "The model; `-` is the standard input";
const COURSE: &str = "The assignment";

/// The same command, which knows `-h` and `--help`, and those below it.
fn with_help(command: Command) -> Command {
    let help = Arg::new("help").short('h').long("help").action(ArgAction::HelpLong);
    command.disable_help_flag(true).arg(help.help("Prints this text")).mut_subcommands(with_help)
}

/// The words of an option without `--`.
pub(super) fn long(id: OptionId) -> &'static str {
    words::option(id).trim_start_matches('-')
}

/// An option of the catalogue.
fn catalogued(id: OptionId) -> Arg {
    let spec = id.spec();
    let doc = match id {
        OptionId::Assertions => "Do not check assertions.",
        OptionId::EndStates => "Do not report invalid end states.",
        _ => spec.doc,
    };
    let arg = match spec.kind {
        Kind::Flag => flag(long(id), doc),
        Kind::Number { .. } | Kind::Limit => {
            let name = match id {
                OptionId::MemoryMib => "MB",
                OptionId::TimeLimit => "SECONDS",
                _ => "N",
            };
            let default = match id {
                OptionId::MemoryMib => format!(" (default {})", super::MEMORY_MIB),
                _ => default(id).map_or(String::new(), |it| format!(" (default {it})")),
            };
            value(long(id), name, &format!("{doc}{default}"))
        }
        Kind::Choice(choices) => {
            let standard = default(id);
            let values = choices.iter().map(|it| {
                let mark = if Some(it.link) == standard { " (default)" } else { "" };
                PossibleValue::new(words::value(id, it)).help(format!("{}{mark}", it.doc))
            });
            value(long(id), "NAME", doc).value_parser(values.collect::<Vec<_>>())
        }
    };
    arg.help_heading(heading(id))
}

fn default(id: OptionId) -> Option<u32> {
    promenade_protocol::Settings::default().get(id)
}

fn heading(id: OptionId) -> &'static str {
    match id.spec().group {
        Group::Property => "What is checked",
        Group::Language => "What the model means",
        Group::Search => "How far the search goes",
        Group::Engine => "How states are kept, and which are left out",
    }
}

/// The options that say what is checked.
fn property() -> [Arg; 5] {
    let first = "the first in the text, if no name is given";
    [
        may_have("claim", "NAME", &format!("Safety, while a never claim of the text moves along ({first}).")),
        may_have("ltl", "NAME", "Every run satisfies the formula of an ltl block of the text."),
        value(
            "formula",
            "F",
            "Every run satisfies the formula F, written as in an ltl block; or no run is accepted by F, \
             a never claim or an automaton in the Hanoi format.",
        )
        .allow_hyphen_values(true),
        may_have(
            "acceptance",
            "NAME",
            "No infinite run visits an accept label infinitely often, of a process or of a never claim \
             (as `pan -a`).",
        ),
        flag(
            "progress",
            "Every infinite run visits a progress label infinitely often (as `pan -DNP -l`).",
        )
        .visible_alias("non-progress"),
    ]
    .map(|arg| arg.help_heading("What is checked"))
}

fn define() -> Arg {
    value("define", "N=3", "Set a macro; may be repeated.")
        .short('D')
        .allow_hyphen_values(true)
        .help_heading("What the model means")
}

/// The options of `check` that `share` has as well.
fn checked(command: Command) -> Command {
    let workers = "N workers share the states: breadth-first, exact, the numbers of one.";
    let several = |arg: Arg| arg.help_heading("Several workers");
    command
        .arg(files("FILE", MODEL))
        .args(property())
        .arg(define())
        .args(OptionId::ALL.iter().map(|id| catalogued(*id)))
        .arg(several(value("workers", "N", workers)))
        .arg(value("searchers", "N", workers).hide(true))
        .arg(several(value(
            "swarm",
            "N",
            "N workers search alone, each with another seed and another order of steps, and share the \
             memory; the first error ends all. For stores that may miss states: together they miss \
             fewer.",
        )))
        .arg(
            flag(
                "spin-counting",
                "Count as `spin -a -o1 -o2 -o3` and `pan -DSAFETY -DNOREDUCE -c0` do: no reductions (a \
                 note says so where some were asked for), all errors (not with --stop-at), with the \
                 first never claim of the text.",
            )
            .help_heading(PRINTED),
        )
}

fn check() -> Command {
    checked(Command::new("check").about("Checks a model"))
        .arg(
            value("engine", "NAME", "Who makes the steps.").value_parser([
                PossibleValue::new("auto")
                    .help("The interpreter, and compiled code if the search lasts (default)"),
                PossibleValue::new("interpret").help("The interpreter"),
                PossibleValue::new("compiled").help("Compiled code, from the first step on"),
            ]),
        )
        .arg(flag(
            "json",
            "One JSON object instead of text; also if the file cannot be read or the command line is \
             wrong. Its `verdict` is holds, violated, no_violation_found, input_error, usage_error or \
             internal_error.",
        ))
        .after_long_help(format!(
            "Without an option that says what is checked: safety, that is, assertions, invalid end \
             states and run-time errors.\nCtrl+C ends the search with what was found up to then; a \
             second one ends the program.\n\n{EXIT}"
        ))
}

fn simulate() -> Command {
    Command::new("simulate")
        .about("Makes one random run: its steps, and what printf prints")
        .arg(files("FILE", MODEL))
        .args(property())
        .arg(define())
        .args([OptionId::Assertions, OptionId::LoseMessages, OptionId::InnerUnless].map(catalogued))
        .arg(value("seed", "N", "Another run (default 1); the same seed gives the same run."))
        .arg(value("steps", "N", "At most N steps (default 1000)."))
        .after_long_help(
            "Exit code: 0, 1 if the run ends in a violation or a deadlock, 2 if the steps from some state\n\
             are too many to follow, 3 for an error in the input.",
        )
}

fn trace() -> Command {
    Command::new("trace")
        .about("Prints the steps of a counterexample after executing it again")
        .arg(files("LINK-OR-FILE", "The counterexample"))
        .after_long_help(
            "It is taken from a link, from a file that contains a link, or from a file that\n\
             `promenade check --json` has written.\n\n\
             Exit code: 1 if the run shows its violation, 2 if it does not fit any more, 3 if there is no\n\
             counterexample.",
        )
}

fn share() -> Command {
    checked(Command::new("share").about("Prints a link to a model"))
        .arg(flag("trace", "Check first, and put the counterexample into the link."))
        .after_long_help(
            "Prints the part of a link behind the address of the page: `#1..`. It contains the files and\n\
             the options. Nothing is sent anywhere. How many workers make the check of `--trace` is not\n\
             a part of the link.",
        )
}

fn ltl() -> Command {
    let formats = [
        ("text", "What is known of it (default)"),
        ("hoa", "The automaton in the Hanoi format"),
        ("dot", "The automaton for Graphviz"),
        ("never", "A never claim of the negation"),
        ("latex", "The formula for LaTeX"),
        ("json", "Everything as one JSON object"),
    ];
    let ways = [
        ("best", "The smallest automaton that several ways lead to (default)"),
        ("alternating", "By way of the very weak alternating automaton"),
    ];
    let values = |list: &[(&'static str, &'static str)]| {
        list.iter().map(|(word, help)| PossibleValue::new(*word).help(*help)).collect::<Vec<_>>()
    };
    Command::new("ltl")
        .about("Says what a formula means for checking, and which automata it becomes")
        .arg(files("FORMULA", "The formula"))
        .arg(value("format", "NAME", "What is printed.").value_parser(values(&formats)))
        .arg(flag("tgba", "Several acceptance sets on edges (default).").overrides_with("ba"))
        .arg(flag("ba", "Accepting states instead.").overrides_with("tgba"))
        .arg(flag("raw", "The automaton as constructed, not simplified."))
        .arg(value("via", "NAME", "How it is constructed.").value_parser(values(&ways)))
        .arg(flag(
            "negate",
            "The same for the negation of the formula; not for automata, whose complement is not made.",
        ))
        .arg(value(
            "never",
            "FILE",
            "Read a never claim from a file, or from the standard input with `-`.",
        ))
        .after_long_help(
            "The formula is written as in an ltl block; other spellings are read too. In place of a\n\
             formula an automaton may be given, in the Hanoi format or as a never claim: it says which\n\
             runs must not exist.\n\nExit code: 0, or 3 if the formula cannot be read.",
        )
}

fn grade() -> Command {
    let to = |long, help: &str| {
        let arg = value(long, "FILE", help);
        arg.num_args(0..=1).require_equals(true).default_missing_value("")
    };
    Command::new("grade")
        .about("Grades submissions of a course")
        .arg(files("FILES", "The assignment, then submissions"))
        .arg(value("jobs", "N", "Graded at the same time (default: one per processor)."))
        .arg(value(
            "report",
            "FILE",
            "A report with links to counterexamples, if the name ends in .html; another name is a folder \
             with one page per submission.",
        ))
        .arg(to("csv", "A table; without a file on the standard output, as the next three."))
        .arg(to("json", "Everything."))
        .arg(to("junit", "A test suite per submission, for continuous integration."))
        .arg(to("gradescope", "results.json for Gradescope; one submission."))
        .arg(value("page", "URL", &format!("The page that links open (default {PAGE}).")))
        .arg(flag("everything", "Show hidden checks and all counterexamples; for teachers."))
        .arg(value("similarity", "N", "List pairs of submissions that share N percent (default 80)."))
        .arg(flag("worker", "Grade what comes through the standard input.").hide(true))
        .after_long_help(
            "Every verdict is computed again, locked text is compared, runs are replayed. Limits count\n\
             states, so that verdicts are the same on every machine.\n\n\
             A SUBMISSION is a file (a model or a submission that the page wrote), a link, a folder or a\n\
             zip file. If a file of the assignment lies at the top of the folder or zip file, it is one\n\
             submission; else every folder and file there is one, as learning platforms export them.\n\n\
             Exit code: 0 full points for all, 1 some task is not solved, 2 some check reached a limit\n\
             and nothing failed, 3 an assignment or a submission cannot be read, 4 wrong usage, 5 a\n\
             mistake of the checker, 6 a file could not be written.",
        )
}

fn assignment() -> Command {
    let out = || value("out", "FILE", "Where the result is written (default: standard output).");
    Command::new("assignment")
        .about("Works on an assignment of a course: dry run, edition for students, mutants, page")
        .disable_help_subcommand(true)
        .subcommands([
            Command::new("check")
                .about("Dry run: the sample solution, trivial answers")
                .arg(files("FILE", COURSE)),
            Command::new("seal")
                .about("The edition for students: hidden checks sealed against casual reading")
                .arg(files("FILE", COURSE))
                .arg(flag("private", "Leave the hidden checks out."))
                .arg(out()),
            Command::new("mutants")
                .about("Small mistakes in the sample solution, and the checks that notice them")
                .arg(files("FILE", COURSE))
                .arg(value("most", "N", "Most mutants per file (default 200)."))
                .arg(value("jobs", "N", "Mutants checked at the same time.")),
            Command::new("html")
                .about("The instructions as a page")
                .arg(files("FILE", COURSE))
                .arg(out()),
        ])
        .after_long_help(
            "Exit code of `check`: 0 nothing to complain about, 1 an error, 2 a warning. Of `mutants`: 2\n\
             if no check notices some mutant.",
        )
}

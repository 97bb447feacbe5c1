//! The help texts, completions and the manual page, made from what the command line is read with.

use crate::arguments::commands;
use clap_complete::Shell;

/// What help is asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Topic {
    /// All commands.
    All,
    Check,
    Simulate,
    Trace,
    Share,
    Ltl,
    Grade,
    Assignment,
    Completions,
}

impl Topic {
    /// The help on a command; on all for another word.
    pub(crate) fn of(command: &str) -> Self {
        match command {
            "check" => Self::Check,
            "simulate" => Self::Simulate,
            "trace" => Self::Trace,
            "share" => Self::Share,
            "ltl" => Self::Ltl,
            "grade" => Self::Grade,
            "assignment" => Self::Assignment,
            "completions" => Self::Completions,
            _ => Self::All,
        }
    }

    fn command(self) -> Option<&'static str> {
        Some(match self {
            Self::All => return None,
            Self::Check => "check",
            Self::Simulate => "simulate",
            Self::Trace => "trace",
            Self::Share => "share",
            Self::Ltl => "ltl",
            Self::Grade => "grade",
            Self::Assignment => "assignment",
            Self::Completions => "completions",
        })
    }
}

/// The text.
pub(crate) fn text(topic: Topic) -> String {
    let mut all = commands::all();
    // The names of commands in the usage.
    all.build();
    let help = match topic.command().and_then(|name| all.find_subcommand_mut(name)) {
        Some(command) => command.render_long_help(),
        None => all.render_long_help(),
    };
    help.to_string()
}

/// A script that completes command lines in a shell.
pub(crate) fn completions(shell: Shell) -> String {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut commands::all(), "promenade", &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The manual page, for `man -l`.
pub(crate) fn manual() -> String {
    let mut all = commands::all();
    all.build();
    let mut out = Vec::new();
    // Writing to memory does not fail.
    let _ = clap_mangen::Man::new(all.clone()).render(&mut out);
    for command in all.get_subcommands().filter(|it| it.get_name() != "help") {
        let page = clap_mangen::Man::new(command.clone());
        let _ = page.render_name_section(&mut out);
        let _ = page.render_synopsis_section(&mut out);
        let _ = page.render_options_section(&mut out);
        let _ = page.render_extra_section(&mut out);
    }
    String::from_utf8_lossy(&out).into_owned()
}

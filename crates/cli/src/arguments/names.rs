//! The names of the command line for what takes part in a refusal.

use super::{Request, Threads};
use promenade_protocol::Property;
use promenade_protocol::options::legality::MOST_WORKERS;
use promenade_protocol::options::{Part, Titles, words};

/// They depend on what was given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    property: &'static str,
    threads: Threads,
}

impl Names {
    pub(crate) fn new(property: &Property, threads: Threads) -> Self {
        let property = match property {
            Property::Safety => "safety",
            Property::Claim { .. } => "--claim",
            Property::Ltl { .. } => "--ltl",
            Property::Formula { .. } => "--formula",
            Property::Acceptance { .. } => "--acceptance",
            Property::Progress => "--progress",
        };
        Self { property, threads }
    }

    pub(super) fn of(request: &Request) -> Self {
        Self::new(&request.property, request.threads)
    }
}

impl promenade_protocol::options::Names for Names {
    fn name(&self, part: Part) -> String {
        match part {
            Part::Value(option, link) => {
                let word = words::option(option);
                match option.spec().choice(link) {
                    Some(choice) => format!("`{word} {}`", words::value(option, choice)),
                    None if link == 0 => format!("no `{word}`"),
                    None => format!("`{word}`"),
                }
            }
            Part::InfiniteRuns => format!("`{}`, a property of infinite runs", self.property),
            Part::Progress | Part::WrittenClaim | Part::Claim => format!("`{}`", self.property),
            Part::SharedStates => match self.threads {
                Threads::Share(of, word) => format!("`{word} {of}`"),
                _ => "`--workers`".to_owned(),
            },
            Part::OneWorker => "one thread".to_owned(),
            Part::Swarm => "`--swarm`, whose threads search alone".to_owned(),
            Part::FewerWorkers => format!("more than {MOST_WORKERS} threads"),
            Part::Repetition => Titles.name(part),
        }
    }
}

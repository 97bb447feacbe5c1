//! Choices on the command line that exclude each other, or leave each other without effect.

use super::reader::Reader;
use super::{Kind, Request, Threads};
use promenade_protocol::{Reduction, Search, Store, WriteOnly};

impl Reader {
    /// Complains about a second choice of the same thing.
    pub(super) fn only_once(&mut self, name: &str, words: String) -> Result<(), String> {
        let what = match name {
            "--claim" | "--ltl" | "--formula" | "--acceptance" | "--progress"
            | "--non-progress" => "the property",
            "--searchers" | "--swarm" => "the number of threads",
            "--engine" => "the engine",
            "--search" => "the order of the search",
            "--stop-at" | "--all-errors" => "where to stop",
            "--keep" => "how many errors are kept",
            "--memory" => "the memory",
            "--depth" => "the depth",
            "--states" => "the number of states",
            "--time" => "the time",
            "--fairness" => "fairness",
            "--algorithm" => "the algorithm",
            "--store" => "the store",
            "--hashes" => "the number of hashes",
            "--probing" => "how bits are placed",
            "--cell-bits" => "the size of a cell",
            "--reduction" => "the reduction",
            "--proviso" => "the condition on cycles",
            "--dead-variables" => "what becomes of dead variables",
            "--write-only" => "what becomes of write-only variables",
            "--chain" => "the length of chains",
            "--shuffle" => "the order of steps",
            "--seed" => "the seed",
            "--steps" => "the number of steps",
            _ => return Ok(()),
        };
        match self.given.iter().find(|(other, _)| *other == what) {
            Some((_, first)) if *first != words => {
                Err(format!("`{first}` and `{words}` both choose {what}: give one of them"))
            }
            Some(_) => Ok(()),
            None => {
                self.given.push((what, words));
                Ok(())
            }
        }
    }

    /// Complains about options that the others leave without effect.
    pub(super) fn effects(&self, request: &Request) -> Result<(), String> {
        let Request { settings, threads, .. } = request;
        let given = |what: &str| self.given.iter().find(|(it, _)| *it == what).map(|(_, it)| it);
        let store = settings.store;
        let swarm = matches!(threads, Threads::Swarm(_));
        for (what, has_effect, needs) in [
            ("the number of hashes", store == Store::Bitstate, "`--store bitstate`"),
            ("how bits are placed", store == Store::Bitstate, "`--store bitstate`"),
            ("the condition on cycles", settings.reduction != Reduction::None, "a reduction"),
            (
                "the size of a cell",
                store.has_signatures(),
                "`--store hash-compact` or `--store automatic`",
            ),
            ("the length of chains", store == Store::Delta, "`--store delta`"),
            (
                "how many errors are kept",
                settings.all_errors
                    || settings.stop_at.is_some_and(|at| at != 1)
                    || request.spin_counting,
                "`--all-errors` or `--stop-at`",
            ),
            (
                "the seed",
                self.kind == Kind::Simulate || store.has_seed() || swarm,
                "`--store bitstate`, `hash-compact`, `automatic` or `caching`, or `--swarm`",
            ),
        ] {
            if let Some(words) = given(what).filter(|_| !has_effect) {
                return Err(format!("`{words}` has no effect without {needs}"));
            }
        }
        let search = given("the order of the search");
        if let (Some(words), Threads::Searchers(_), Search::DepthFirst) =
            (search, threads, settings.search)
        {
            return Err(format!(
                "`{words}` does not go with `--searchers`, which is breadth-first"
            ));
        }
        if let Some(words) =
            given("where to stop").filter(|_| request.spin_counting && settings.stop_at.is_some())
        {
            return Err(format!(
                "`{words}` does not go with `--spin-counting`, which counts all errors"
            ));
        }
        if let Some(words) = given("what becomes of write-only variables")
            .filter(|_| request.spin_counting && settings.write_only == WriteOnly::LeaveOut)
        {
            return Err(format!(
                "`{words}` does not go with `--spin-counting`, which counts as with `-o2`"
            ));
        }
        let of = given("the number of threads");
        if let Some(words) = of.filter(|_| self.kind == Kind::Share && !request.with_trace) {
            return Err(format!(
                "`{words}` has no effect without `--trace`: a link does not say how many threads a \
                 check has"
            ));
        }
        Ok(())
    }
}

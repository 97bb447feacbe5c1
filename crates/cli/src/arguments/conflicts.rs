//! Choices on the command line that exclude each other, or leave each other without effect.

use super::given::Given;
use super::{Kind, Names, Request, Threads};
use promenade_protocol::options::{Names as _, legality, words};
use promenade_protocol::{OptionId, Search, WriteOnly};

fn option(name: &str) -> Option<OptionId> {
    OptionId::ALL.iter().copied().find(|id| super::commands::long(*id) == name)
}

/// What an option chooses; nothing for those that may be given several times.
fn chooses(name: &str) -> Option<&'static str> {
    Some(match name {
        "claim" | "ltl" | "formula" | "acceptance" | "progress" => "the property",
        "workers" | "searchers" | "swarm" => "the number of threads",
        "engine" => "the engine",
        "steps" => "the number of steps",
        _ => words::chooses(option(name)?),
    })
}

/// Complains about a second choice of the same thing.
pub(super) fn only_once(all: &[Given]) -> Result<(), String> {
    for (at, second) in all.iter().enumerate() {
        let Some(what) = chooses(&second.name) else { continue };
        let before = all.get(..at).unwrap_or_default();
        if let Some(first) = before.iter().find(|it| chooses(&it.name) == Some(what))
            && first.words != second.words
        {
            let (first, second) = (&first.words, &second.words);
            return Err(format!("`{first}` and `{second}` both choose {what}: give one of them"));
        }
    }
    Ok(())
}

/// Complains about options that the others leave without effect.
pub(super) fn effects(kind: Kind, all: &[Given], request: &Request) -> Result<(), String> {
    let Request { settings, threads, .. } = request;
    let given = |id| all.iter().find(|it| option(&it.name) == Some(id)).map(|it| &it.words);
    let swarm = matches!(threads, Threads::Swarm(_));
    for id in OptionId::ALL.iter().copied() {
        let Some(words) = given(id) else { continue };
        let seeds = id == OptionId::Seed && (swarm || kind == Kind::Simulate);
        if seeds || legality::is_used(settings, id) {
            continue;
        }
        let mut needs: Vec<String> = match id {
            OptionId::Proviso => vec!["a reduction".to_owned()],
            _ => {
                let names = Names::of(request);
                legality::needed(id).into_iter().map(|part| names.name(part)).collect()
            }
        };
        if id == OptionId::Seed {
            needs.push("`--swarm`".to_owned());
        }
        return Err(format!("`{words}` has no effect without {}", legality::or(needs)));
    }
    let several =
        settings.all_errors || settings.stop_at.is_some_and(|at| at != 1) || request.spin_counting;
    if let Some(words) = given(OptionId::KeepViolations).filter(|_| !several) {
        return Err(format!("`{words}` has no effect without `--all-errors` or `--stop-at`"));
    }
    if let (Some(words), Threads::Share(_, word), Search::DepthFirst) =
        (given(OptionId::Search), threads, settings.search)
    {
        return Err(format!("`{words}` does not go with `{word}`, which is breadth-first"));
    }
    let where_to_stop = given(OptionId::StopAt).filter(|_| request.spin_counting);
    if let Some(words) = where_to_stop {
        return Err(format!(
            "`{words}` does not go with `--spin-counting`, which counts all errors"
        ));
    }
    if let Some(words) = given(OptionId::WriteOnly)
        .filter(|_| request.spin_counting && settings.write_only == WriteOnly::LeaveOut)
    {
        return Err(format!(
            "`{words}` does not go with `--spin-counting`, which counts as with `-o2`"
        ));
    }
    let workers = all.iter().find(|it| chooses(&it.name) == Some("the number of threads"));
    if let Some(it) = workers.filter(|_| kind == Kind::Share && !request.with_trace) {
        return Err(format!(
            "`{}` has no effect without `--trace`: a link does not say how many threads a check has",
            it.words
        ));
    }
    Ok(())
}

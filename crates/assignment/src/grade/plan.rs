//! From a task and a submission to the checks that are to be made.

use super::judge::Expect;
use super::models::{Refused, experiment, files, of_formula};
use super::specification;
use super::{Planned, Wanted, Work};
use crate::format::{Assignment, Body, Judged, Question, Run, Stated, Task};
use crate::properties::PropertySpec;
use crate::submission::Submission;
use promenade_protocol::link::{self, Target};
use promenade_protocol::{CheckStatus, File, Reduction, TaskStatus, WriteOnly};
use std::collections::BTreeSet;

/// The checks of a task, or why there are none.
pub(super) fn plan(
    assignment: &Assignment,
    task: &Task,
    submission: &Submission,
) -> Result<Vec<Planned>, Refused> {
    let answer = || {
        let found = submission.answers.iter().find(|(known, _)| *known == task.id);
        found
            .map(|(_, text)| text.as_str())
            .ok_or_else(|| (TaskStatus::Missing, "there is no answer".to_owned()))
    };
    let mut checks = match &task.body {
        Body::Model { model, properties, witnesses } => {
            let files = files(assignment, submission, model)?;
            models(task, model, &files, properties, witnesses)
        }
        Body::FindBug { model, property, violation, steps } => {
            let answer = answer()?;
            let files = files(assignment, submission, model)?;
            let experiment = experiment(files, &task.settings, &property.what);
            let wanted = Wanted { steps: *steps, violation: violation.clone() };
            let work = match trail(answer, *steps) {
                Ok(trail) => Work::Replay { experiment, trail, wanted },
                Err(message) => Work::Known { status: CheckStatus::Failed, message },
            };
            vec![Planned {
                title: format!("a run that violates {}", property.what.text),
                hidden: hides(model),
                work,
            }]
        }
        Body::Specification { .. } => specification::plan(assignment, task, submission, answer()?)?,
        Body::Predict { model, question, property, runs } => {
            let answer = answer()?;
            let files = files(assignment, submission, model)?;
            predict(task, &files, *question, property, runs, answer)
                .into_iter()
                .map(|(title, work)| Planned { title, hidden: hides(model), work })
                .collect()
        }
    };
    if task.withheld && checks.is_empty() {
        checks.push(Planned {
            title: "checks of the teacher's file".to_owned(),
            hidden: true,
            work: Work::Known {
                status: CheckStatus::Inconclusive,
                message: "the checks are not in this edition: grade with the teacher's file"
                    .to_owned(),
            },
        });
    }
    Ok(checks)
}

/// Whether a counterexample would show hidden files.
fn hides(model: &Judged) -> bool {
    model.environment.iter().any(|file| file.hidden)
}

fn models(
    task: &Task,
    model: &Judged,
    files: &[File],
    properties: &[Stated<PropertySpec>],
    witnesses: &[Stated<String>],
) -> Vec<Planned> {
    let mut checks = Vec::new();
    for property in properties {
        checks.push(Planned {
            title: property.what.text.clone(),
            hidden: property.hidden || hides(model),
            work: Work::Check {
                experiment: experiment(files.to_vec(), &task.settings, &property.what),
                expect: Expect::Holds,
            },
        });
    }
    for witness in witnesses {
        let negated = format!("!({})", witness.what);
        checks.push(Planned {
            title: format!("possible: {}", witness.what),
            hidden: witness.hidden || hides(model),
            work: Work::Check {
                experiment: of_formula(files.to_vec(), &task.settings, &negated),
                expect: Expect::Exists(witness.what.clone()),
            },
        });
    }
    checks
}

/// The run of a link.
fn trail(answer: &str, steps: Option<u32>) -> Result<link::Trail, String> {
    /// Choices that are replayed where the task sets no limit.
    const MOST: usize = 100_000;
    let fragment = link::parse(answer).map_err(|error| error.to_string())?;
    let Target::Content(content) = fragment.target else {
        return Err("the answer is not a link to a counterexample".to_owned());
    };
    let trail = content.trail.ok_or("the link holds a model, but no counterexample")?;
    // Every choice is a step at least.
    let most = steps.map_or(MOST, |steps| (steps as usize).min(MOST));
    if trail.choices.len() > most {
        return Err(format!("the run has more than {most} steps"));
    }
    Ok(trail)
}

fn predict(
    task: &Task,
    files: &[File],
    question: Question,
    property: &PropertySpec,
    runs: &[Stated<Run>],
    answer: &str,
) -> Vec<(String, Work)> {
    let unreadable = |title: &str, message: String| {
        vec![(title.to_owned(), Work::Known { status: CheckStatus::Unreadable, message })]
    };
    let mut whole = experiment(files.to_vec(), &task.settings, property);
    // The numbers of the text, whatever is found on the way.
    whole.settings.reduction = Reduction::None;
    whole.settings.write_only = WriteOnly::Keep;
    match question {
        Question::States => {
            let title = "number of states";
            let digits: String =
                answer.chars().filter(|c| !c.is_whitespace() && *c != ',' && *c != '_').collect();
            let Ok(number) = digits.parse() else {
                return unreadable(title, "the answer is not a number".to_owned());
            };
            whole.settings.all_errors = true;
            vec![(
                title.to_owned(),
                Work::Check { experiment: whole, expect: Expect::States(number) },
            )]
        }
        Question::Assertions => {
            let title = "assertions that can fail";
            let none = answer.eq_ignore_ascii_case("none");
            let words = answer.split([',', ' ', '\n', ';']).filter(|it| !it.is_empty() && !none);
            let lines: Option<BTreeSet<u32>> = words.map(|word| word.parse().ok()).collect();
            let Some(lines) = lines else {
                let message = "the answer is not a list of line numbers, or `none`".to_owned();
                return unreadable(title, message);
            };
            whole.settings.all_errors = true;
            whole.settings.keep_violations = 1000;
            whole.settings.assertions = true;
            whole.settings.end_states = false;
            vec![(
                title.to_owned(),
                Work::Check { experiment: whole, expect: Expect::Lines(lines) },
            )]
        }
        Question::Verdict => {
            let title = "verdict";
            let holds = match answer.trim().to_ascii_lowercase().as_str() {
                "holds" | "yes" | "true" => true,
                "violated" | "no" | "false" => false,
                _ => {
                    return unreadable(title, "the answer is not `holds` or `violated`".to_owned());
                }
            };
            let expect = Expect::Predicted { holds };
            vec![(title.to_owned(), Work::Check { experiment: whole, expect })]
        }
        Question::Runs => {
            let none = answer.eq_ignore_ascii_case("none");
            let words = answer.split([',', ' ', '\n', ';']).filter(|it| !it.is_empty() && !none);
            let chosen: BTreeSet<&str> = words.collect();
            if let Some(strange) =
                chosen.iter().find(|it| runs.iter().all(|run| run.what.name != **it))
            {
                let strange = crate::submission::clean(strange);
                return unreadable("runs that exist", format!("there is no run `{strange}`"));
            }
            let check = |run: &Stated<Run>| {
                let Run { name, formula } = &run.what;
                let negated = format!("!({formula})");
                let exists = chosen.contains(name.as_str());
                let expect = Expect::Run { name: name.clone(), exists };
                let experiment = of_formula(files.to_vec(), &task.settings, &negated);
                (format!("run {name}"), Work::Check { experiment, expect })
            };
            runs.iter().map(check).collect()
        }
    }
}

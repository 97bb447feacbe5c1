//! From a property to the claim that runs along.
//!
//! A formula is negated and translated; its automaton becomes a claim whose accepting runs are the
//! violations. Absence of progress is a claim of two states (G. J. Holzmann, The SPIN Model Checker,
//! 2003, chapter 6). The claim is added to the model, so that search and replay know nothing of
//! formulas.

use crate::given;
use crate::propositions::{Propositions, labels_of_conditions};
use crate::sources::of_property;
use crate::vacuity;
use promenade_automata::{
    Automaton, Label, Options, TooLarge, build_named, is_empty, stutter_difference,
};
use promenade_base::{Interrupt, Span};
use promenade_ir::{
    Action, Claim, ClaimAcceptance, Edge, EdgeId, Expr, Graph, Location, LocationId, Model,
    Proctype, StatementId, StatementInfo,
};
use promenade_ltl::{Formula, Formulas, MAX_ATOMS};
use promenade_protocol::options::Subject;
use promenade_protocol::{
    AutomatonData, DiagnosticData, Fairness, Given, Property, Reduction, Settings, StoppedBy,
    Vacuity,
};

/// Most states of a formula's automaton.
const MOST_STATES: usize = 100_000;
/// Work on what only makes it smaller, in steps of the translation: some tenths of a second.
const STEPS: usize = 1_000_000;
/// Share of the memory budget that it may have.
const SHARE: u32 = 4;
/// Most states of products that answer questions about it.
const ASKED_STATES: usize = 50_000;

/// Most edges of an automaton that is part of a report.
const DRAWN_EDGES: usize = 5_000;

/// Why a property cannot be checked.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// Something is wrong with it.
    Wrong(Box<DiagnosticData>),
    /// The translation of its formula came to no end: it was interrupted, or the memory used up.
    Stopped(StoppedBy),
}

impl From<Box<DiagnosticData>> for Refusal {
    fn from(diagnostic: Box<DiagnosticData>) -> Self {
        Self::Wrong(diagnostic)
    }
}

/// What is looked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Goal {
    /// Index of the claim that runs along.
    pub claim: Option<usize>,
    /// Accepting cycles are looked for.
    pub infinite: bool,
    /// Acceptance sets, without those of fairness.
    pub sets: u32,
    /// The property as a clause: `every run satisfies ...`.
    pub holds: String,
    /// What a violation is: `... is violated`.
    pub violated: String,
    /// Acceptance is asked for, and there is no accept label.
    pub unlabelled: bool,
    /// The claim is that of progress.
    pub progress: bool,
    /// The formula's text, if it is one.
    pub formula: Option<String>,
    /// The automaton of the negated formula, whose states are the claim's locations.
    pub automaton: Option<Automaton>,
    /// The formula holds on every word, or on none, whatever the model.
    pub constant: Option<bool>,
    /// Its state that accepts whatever comes: the end of the claim.
    pub sink: Option<u32>,
    /// The formula may tell runs apart that differ only in how often states are repeated. Found out
    /// only if a reduction is asked for, which changes just that.
    pub sees_repetition: bool,
    /// Conditions without which the formula says nothing, each with the edges of the claim that read
    /// it.
    pub antecedents: Vec<(String, Vec<EdgeId>)>,
    /// Without these conditions no part of the formula says anything.
    pub conditional: bool,
}

impl Goal {
    /// The property as a clause about the runs that count.
    pub(crate) fn holds_under(&self, fairness: Fairness) -> String {
        if !self.infinite || fairness != Fairness::Weak {
            return self.holds.clone();
        }
        let fair = self.holds.replacen("every run", "every weakly fair run", 1);
        fair.replacen("infinite run", "weakly fair infinite run", 1)
    }

    /// The automaton that ran along, ready to draw: that of the negated formula, or a never claim;
    /// `None` also if it is too large for a picture.
    pub(crate) fn drawn(&self, model: &Model) -> Option<AutomatonData> {
        match (&self.automaton, &self.formula) {
            (Some(automaton), Some(_)) if automaton.edge_count() > DRAWN_EDGES => None,
            (Some(automaton), Some(formula)) => {
                Some(crate::formula::drawn(automaton, &format!("!({formula})")))
            }
            _ => self.claim.and_then(|claim| crate::claim::drawn(model, claim)),
        }
    }

    /// What a formula that holds does not say: `executed` tells which edges were taken in a search
    /// that came to its end.
    pub(crate) fn vacuity(&self, executed: &[bool]) -> Option<Vacuity> {
        let taken = |edge: &EdgeId| executed.get(edge.0 as usize).copied().unwrap_or(true);
        if self.constant == Some(true) {
            return Some(Vacuity { never: Vec::new(), whole: true });
        }
        let never = self.antecedents.iter().filter(|(_, edges)| !edges.iter().any(taken));
        let never: Vec<String> = never.map(|(text, _)| text.clone()).collect();
        let whole = self.conditional && never.len() == self.antecedents.len();
        (!never.is_empty()).then_some(Vacuity { never, whole })
    }

    /// The claim stands in no text.
    pub(crate) fn generated(&self) -> bool {
        self.formula.is_some() || self.progress
    }

    /// What legality depends on.
    pub(crate) fn subject(&self) -> Subject {
        Subject {
            infinite: self.infinite,
            claim: self.claim.is_some(),
            written_claim: self.claim.is_some() && !self.generated(),
            progress: self.progress,
            sees_repetition: self.sees_repetition,
        }
    }
}

/// Name of a formula that stands in no text.
pub(crate) const TYPED: &str = "typed_formula";
/// Name of a claim that stands in no text.
pub(crate) const TYPED_CLAIM: &str = "given_claim";

/// Finds or makes the claim that a property needs. Translating a formula may take long, so it asks
/// the interrupt.
pub(crate) fn attach(
    model: &mut Model,
    property: &Property,
    settings: &Settings,
    interrupt: Option<&Interrupt>,
) -> Result<Goal, Refusal> {
    match property {
        Property::Safety => Ok(Goal::default()),
        Property::Claim { name } => {
            Ok(Goal { claim: Some(claim_by_name(model, name.as_deref())?), ..Goal::default() })
        }
        Property::Acceptance { claim } => Ok(acceptance(model, claim.as_deref())?),
        Property::Progress => Ok(progress(model)),
        Property::Ltl { name } => {
            let index = formula_by_name(model, name.as_deref())?;
            formula(model, index, settings, interrupt)
        }
        Property::Formula { text } if given::given(text) != Given::Formula => {
            let goal = acceptance(model, Some(TYPED_CLAIM))?;
            if given::given(text) == Given::Hoa
                && let Some(claim) = goal.claim.and_then(|claim| model.claims.get_mut(claim))
            {
                claim.labels = labels_of_conditions(&claim.process.graph);
            }
            Ok(goal)
        }
        Property::Formula { .. } => {
            let index = formula_by_name(model, Some(TYPED))?;
            formula(model, index, settings, interrupt)
        }
    }
}

fn error(code: &str, message: &str, hint: &str) -> Box<DiagnosticData> {
    Box::new(DiagnosticData { hint: Some(hint.to_owned()), ..of_property(code, message) })
}

/// What a claim is called.
pub(crate) fn claim_name(model: &Model, claim: usize) -> String {
    let name = model.claims.get(claim).and_then(|claim| claim.name.as_deref());
    match name {
        None => "the never claim".to_owned(),
        Some(TYPED_CLAIM) => "the given claim".to_owned(),
        Some(name) => format!("the never claim `{name}`"),
    }
}

fn claim_by_name(model: &Model, name: Option<&str>) -> Result<usize, Box<DiagnosticData>> {
    let Some(name) = name else {
        return if model.claims.is_empty() {
            let hint = "Write one, or check safety without a claim.";
            Err(error("no-claim", "there is no never claim in the text", hint))
        } else {
            Ok(0)
        };
    };
    if let Some(found) = model.claims.iter().position(|claim| claim.name.as_deref() == Some(name)) {
        return Ok(found);
    }
    if model.formulas.iter().any(|formula| formula.name == name) {
        let message = format!("`{name}` is a formula, not a never claim");
        return Err(error("formula-as-claim", &message, "Choose the property `ltl` instead."));
    }
    let names: Vec<&str> = model.claims.iter().filter_map(|c| c.name.as_deref()).collect();
    let hint = match names.as_slice() {
        [] => "No never claim in the text has a name.".to_owned(),
        names => format!("The text has these: {}.", names.join(", ")),
    };
    Err(error("no-claim", &format!("there is no never claim `{name}`"), &hint))
}

fn formula_by_name(model: &Model, name: Option<&str>) -> Result<usize, Box<DiagnosticData>> {
    let Some(name) = name else {
        return if model.formulas.is_empty() {
            let hint = "Write one, as in: ltl live { [] <> (x == 1) }";
            Err(error("no-formula", "there is no ltl block in the text", hint))
        } else {
            Ok(0)
        };
    };
    if let Some(found) = model.formulas.iter().position(|formula| formula.name == name) {
        return Ok(found);
    }
    let names: Vec<&str> = model.formulas.iter().map(|f| f.name.as_str()).collect();
    let hint = match names.as_slice() {
        [] => "There is no ltl block in the text.".to_owned(),
        names => format!("The text has these: {}.", names.join(", ")),
    };
    Err(error("no-formula", &format!("there is no formula `{name}`"), &hint))
}

fn acceptance(model: &Model, claim: Option<&str>) -> Result<Goal, Box<DiagnosticData>> {
    let labelled = |graph: &Graph| graph.locations.iter().any(|location| location.accept);
    let claim = match claim {
        None if model.claims.is_empty() => None,
        name => Some(claim_by_name(model, name)?),
    };
    let in_claim = claim.is_some_and(|claim| labelled(&model.claims[claim].process.graph));
    let unlabelled = !in_claim && !model.proctypes.iter().any(|proctype| labelled(&proctype.graph));
    let (holds, violated) = match claim {
        Some(claim) => {
            let name = claim_name(model, claim);
            (format!("{name} accepts no run"), format!("{name} accepts an infinite run"))
        }
        None => (
            "no infinite run comes again and again to an accept label".to_owned(),
            "an infinite run comes again and again to an accept label".to_owned(),
        ),
    };
    Ok(Goal { claim, infinite: true, sets: 1, holds, violated, unlabelled, ..Goal::default() })
}

/// A state of a claim to be built: guard, its text, target, marks.
type Exits = Vec<(Expr, String, usize, u64)>;

fn progress(model: &mut Model) -> Goal {
    let states: Vec<Exits> = vec![
        vec![
            (Expr::Const(1), "true".to_owned(), 0, 0),
            (Expr::NonProgress, "no process at a progress label".to_owned(), 1, 0),
        ],
        vec![(Expr::NonProgress, "no process at a progress label".to_owned(), 1, 1)],
    ];
    let claim = add_claim(model, "no progress", Span::default(), &states, 0, 1, &[]);
    Goal {
        claim: Some(claim),
        infinite: true,
        sets: 1,
        holds: "every infinite run comes again and again to a progress label".to_owned(),
        violated: "an infinite run makes no progress from some point on".to_owned(),
        progress: true,
        ..Goal::default()
    }
}

/// Adds a claim with these states; those in `sinks` accept whatever comes, so that reaching them
/// ends the run.
fn add_claim(
    model: &mut Model,
    name: &str,
    span: Span,
    states: &[Exits],
    initial: usize,
    sets: u32,
    sinks: &[usize],
) -> usize {
    let exit = LocationId(states.len() as u32);
    let place = |state: usize| {
        if sinks.contains(&state) { exit } else { LocationId(state as u32) }
    };
    let mut marks = Vec::new();
    let mut locations = Vec::new();
    let edge = |model: &mut Model, action, text: &str, target| {
        let statement = StatementId(model.statements.len() as u32);
        model.statements.push(StatementInfo { span, text: text.to_owned(), calls: Vec::new() });
        let id = EdgeId(model.edge_count);
        model.edge_count += 1;
        Edge { id, statement, action, target, keeps_atomic: false, escape: 0 }
    };
    for exits in states {
        let mut location = Location { span: Some(span), ..Location::default() };
        for (guard, text, target, sets) in exits {
            let edge = edge(model, Action::Condition(guard.clone()), text, place(*target));
            if *sets != 0 {
                marks.push((edge.id, *sets));
            }
            location.edges.push(edge);
        }
        locations.push(location);
    }
    let end = edge(model, Action::End, "-end-", exit);
    locations.push(Location { edges: vec![end], valid_end: true, ..Location::default() });
    let process = Proctype {
        name: name.to_owned(),
        span,
        parameters: Vec::new(),
        locals: Vec::new(),
        local_bytes: 0,
        initializers: Vec::new(),
        channels: Vec::new(),
        graph: Graph { locations },
        entry: place(initial),
        exit,
        provided: None,
        deterministic: false,
        priority: 1,
    };
    let acceptance = Some(ClaimAcceptance { sets, marks });
    let name = Some(name.to_owned());
    model.claims.push(Claim { process, name, acceptance, labels: None });
    model.claims.len() - 1
}

fn formula(
    model: &mut Model,
    index: usize,
    settings: &Settings,
    interrupt: Option<&Interrupt>,
) -> Result<Goal, Refusal> {
    let property = model.formulas[index].clone();
    let mut table = Formulas::new();
    let Some((positive, mut atoms)) = Propositions::formula(&mut table, &property.formula) else {
        let message = format!(
            "the formula has more than {MAX_ATOMS} different parts without temporal operators"
        );
        return Err(error("formula-too-large", &message, "Split it into several formulas.").into());
    };
    let negative = atoms.shorten(&mut table, positive);
    let reduced = settings.reduction != Reduction::None;
    let has_next = reduced && !promenade_ltl::class::is_next_free(&table, positive);
    let (automaton, constant, sees_repetition) = automaton(
        &mut table, negative, &atoms, settings, has_next, interrupt,
    )
    .map_err(|reason| {
        match reason {
            TooLarge::Interrupted => return Refusal::Stopped(StoppedBy::Cancelled),
            TooLarge::Memory | TooLarge::States => {
                return Refusal::Stopped(StoppedBy::Memory);
            }
            TooLarge::Steps | TooLarge::Sets | TooLarge::Atoms => {}
        }
        let message = format!("the formula cannot be translated: {reason}");
        error("formula-too-large", &message, "Split it into several formulas.").into()
    })?;
    // Without acceptance sets every infinite run is accepting: one set with all edges says the same.
    let sets = automaton.sets.max(1);
    let all = if automaton.sets == 0 { 1 } else { 0 };
    let antecedents = vacuity::antecedents(&table, positive, &atoms.texts);
    let conditional = vacuity::is_conditional(&table, positive, &antecedents);
    let watched = vacuity::split(&automaton, &antecedents);
    let mut edges_of: Vec<&[promenade_automata::Edge]> =
        automaton.states.iter().map(Vec::as_slice).collect();
    if let (Some((edges, _)), Some(place)) =
        (&watched, edges_of.get_mut(automaton.initial as usize))
    {
        *place = edges;
    }
    // Labels over many propositions may be long as conditions.
    let exit = |edge: &promenade_automata::Edge| {
        if interrupt.is_some_and(Interrupt::is_raised) {
            return Err(Refusal::Stopped(StoppedBy::Cancelled));
        }
        let guard = atoms.guard(&edge.label);
        let text = edge.label.text(&atoms.texts);
        Ok((guard, text, edge.target as usize, edge.marks | all))
    };
    let states: Vec<Exits> = edges_of
        .iter()
        .map(|edges| edges.iter().map(exit).collect::<Result<Exits, Refusal>>())
        .collect::<Result<_, _>>()?;
    let labels: Vec<Vec<&Label>> =
        edges_of.iter().map(|edges| edges.iter().map(|edge| &edge.label).collect()).collect();
    let accepts_all = |(state, edges): (usize, &Vec<promenade_automata::Edge>)| {
        let wanted = automaton.all_marks();
        let loops = |edge: &promenade_automata::Edge| {
            edge.target as usize == state && edge.label.is_all() && edge.marks & wanted == wanted
        };
        edges.iter().any(loops).then_some(state)
    };
    let sinks: Vec<usize> = automaton.states.iter().enumerate().filter_map(accepts_all).collect();
    let typed = property.name == TYPED;
    let name = if typed { "the formula" } else { &property.name };
    let initial = automaton.initial as usize;
    // An automaton without states accepts nothing: a claim that cannot move says the same.
    let states = if states.is_empty() { vec![Vec::new()] } else { states };
    let claim = add_claim(model, name, property.span, &states, initial, sets, &sinks);
    if let Some(claim) = model.claims.get_mut(claim) {
        claim.labels = atoms.labels(&claim.process.graph, &labels);
    }
    let text = if typed { property.text.clone() } else { format!("{}: {}", name, property.text) };
    let begins = model
        .claims
        .get(claim)
        .and_then(|claim| claim.process.graph.locations.get(claim.process.entry.0 as usize));
    let antecedents = match (watched, begins) {
        (Some((pieces, places)), Some(begins)) if begins.edges.len() == pieces.len() => {
            let edges =
                |places: &Vec<usize>| places.iter().map(|&at| begins.edges[at].id).collect();
            antecedents.into_iter().zip(&places).map(|(it, at)| (it.text, edges(at))).collect()
        }
        _ => Vec::new(),
    };
    Ok(Goal {
        claim: Some(claim),
        infinite: true,
        sets,
        holds: format!("every run satisfies the formula {text}"),
        violated: format!("a run does not satisfy the formula {text}"),
        unlabelled: false,
        progress: false,
        formula: Some(property.text),
        constant,
        sink: sinks.first().map(|&sink| sink as u32),
        automaton: Some(automaton),
        sees_repetition,
        antecedents,
        conditional,
    })
}

/// The automaton of a formula; whether the formula's negation holds always or never; whether it may
/// see repetition, if that is asked.
fn automaton(
    table: &mut Formulas,
    formula: Formula,
    atoms: &Propositions,
    settings: &Settings,
    has_next: bool,
    interrupt: Option<&Interrupt>,
) -> Result<(Automaton, Option<bool>, bool), TooLarge> {
    let share = settings.memory_mib / SHARE;
    let options = Options {
        states: MOST_STATES,
        steps: STEPS,
        patience: usize::MAX,
        memory: (share as usize).max(1) << 20,
        interrupt,
        ..Options::for_checking()
    };
    let built = build_named(table, formula, &atoms.texts, &options)?;
    let one_set =
        settings.emptiness.has(promenade_protocol::Traits::ONE_SET) && built.generalised.sets > 1;
    let negation = built.negation.as_ref();
    let constant = match (is_empty(&built.generalised), negation.is_some_and(is_empty)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    let sees_repetition = has_next && {
        let found =
            negation.map(|negation| stutter_difference(&built.generalised, negation, ASKED_STATES));
        !matches!(found, Some(Ok(None)))
    };
    Ok((if one_set { built.buchi } else { built.generalised }, constant, sees_repetition))
}

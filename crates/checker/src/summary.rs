//! What is in a text: definitions and properties, without a run.

use crate::claim;
use crate::sources::{Sources, parse_options};
use promenade_base::Span;
use promenade_ir::{Location, Model};
use promenade_promela_syntax::ast::{Declaration, Initializer, Item, TypeName};
use promenade_protocol::{
    AutomatonData, DiagnosticData, Experiment, FormulaFindings, ModelSummary, Property,
    PropertyInfo, Settings, SpanData, Symbol,
};

/// Reads a text and says what is wrong with it and what is in it. What the property of the
/// experiment is has no influence: a formula that it holds is looked at by [`findings`].
pub fn parse(experiment: &Experiment) -> (Vec<DiagnosticData>, ModelSummary) {
    let experiment = &Experiment { property: Property::Safety, ..experiment.clone() };
    let sources = match Sources::new(experiment) {
        Ok(sources) => sources,
        Err(diagnostic) => return (vec![*diagnostic], ModelSummary::default()),
    };
    let (model, diagnostics) = sources.compile(&experiment.settings, &experiment.property);
    let tree = promenade_promela_syntax::parse(&sources.map, &parse_options(&experiment.settings));
    let mut summary = ModelSummary::default();
    let items = &tree.value.items;
    for item in items {
        symbols(item, &sources, &mut summary.symbols);
    }
    summary.properties = properties(items, model.as_deref(), &sources);
    summary.initial_processes = model.map_or(0, |model| model.initial_processes.len() as u32);
    (diagnostics, summary)
}

/// What is wrong with formulas, or automata, over the names of a text, one list for each: the findings
/// that are not about the text itself. Their places are those of [`SpanData::PROPERTY`].
pub fn findings(experiment: &Experiment, formulas: &[String]) -> Vec<FormulaFindings> {
    let found = |text: &String| {
        let property = Property::Formula { text: text.clone() };
        let settings =
            Settings { defines: experiment.settings.defines.clone(), ..Settings::default() };
        let experiment = Experiment { files: experiment.files.clone(), property, settings };
        let diagnostics = match Sources::new(&experiment) {
            Ok(sources) => sources.compile(&experiment.settings, &experiment.property).1,
            Err(diagnostic) => vec![*diagnostic],
        };
        let of_formula = |it: &DiagnosticData| it.span.file == SpanData::PROPERTY;
        let diagnostics = diagnostics.into_iter().filter(of_formula).collect();
        FormulaFindings { formula: text.clone(), diagnostics }
    };
    formulas.iter().map(found).collect()
}

fn symbols(item: &Item, sources: &Sources, out: &mut Vec<Symbol>) {
    let mut add = |kind: &str, name: &str, span: Span| {
        out.push(Symbol {
            kind: kind.to_owned(),
            name: name.to_owned(),
            span: sources.place(span),
        });
    };
    match item {
        Item::Mtype(list) => {
            let name = list.set.as_ref().map_or("mtype", |set| &set.text);
            add("mtype", name, list.span);
        }
        Item::Typedef(definition) => add("typedef", &definition.name.text, definition.name.span),
        Item::Declaration(declaration) => {
            for declarator in &declaration.declarators {
                let kind = if is_channel(declaration, declarator.initializer.as_ref()) {
                    "channel"
                } else {
                    "global"
                };
                add(kind, &declarator.name.text, declarator.name.span);
            }
        }
        Item::Proctype(proctype) => add("proctype", &proctype.name.text, proctype.name.span),
        Item::Init(init) => add("proctype", "init", init.keyword),
        Item::Never(claim) => match &claim.name {
            Some(name) => add("never", &name.text, name.span),
            None => add("never", "never", claim.span),
        },
        Item::Trace(trace) => {
            let word = if trace.negated { "notrace" } else { "trace" };
            let name = trace.name.as_ref().map_or(word, |name| &name.text);
            add(word, name, trace.name.as_ref().map_or(trace.span, |name| name.span));
        }
        Item::Inline(inline) => add("inline", &inline.name.text, inline.name.span),
        Item::Ltl(block) => match &block.name {
            Some(name) => add("ltl", &name.text, name.span),
            None => add("ltl", "ltl", block.span),
        },
        Item::CCode(code) => add("c_code", code.keyword, code.span),
    }
}

fn is_channel(declaration: &Declaration, initializer: Option<&Initializer>) -> bool {
    declaration.ty == TypeName::Chan || matches!(initializer, Some(Initializer::Channel { .. }))
}

fn properties(items: &[Item], model: Option<&Model>, sources: &Sources) -> Vec<PropertyInfo> {
    let mut properties = vec![PropertyInfo {
        property: Some(Property::Safety),
        title: "Safety".to_owned(),
        description: "No assertion fails, no process gets stuck (invalid end state), no run-time \
                      error happens. Formulas and never claims are left out."
            .to_owned(),
        ..PropertyInfo::default()
    }];
    properties.extend(of_labels(model));
    let mut first = true;
    for item in items {
        match item {
            Item::Never(claim) => {
                let name = claim.name.as_ref().map(|name| name.text.to_string());
                let decidable = name.is_some() || first;
                first = false;
                let title = match &name {
                    Some(name) => format!("Never claim {name}"),
                    None => "Never claim".to_owned(),
                };
                properties.push(PropertyInfo {
                    property: decidable.then_some(Property::Claim { name }),
                    title,
                    description: if decidable {
                        "Safety, while the claim moves along: an error is reported when the claim \
                         can be followed to its end."
                    } else {
                        "A claim without a name can be chosen only if it is the first one."
                    }
                    .to_owned(),
                    span: Some(sources.place(claim.span)),
                    automaton: model.and_then(|model| claim_picture(model, claim.span)),
                    ..PropertyInfo::default()
                });
            }
            Item::Ltl(block) => {
                let formula = model.and_then(|model| {
                    model.formulas.iter().find(|formula| formula.span == block.span)
                });
                let name = block.name.as_ref().map(|name| name.text.to_string());
                let name = name.or_else(|| formula.map(|formula| formula.name.clone()));
                properties.push(PropertyInfo {
                    title: format!("ltl {}", name.as_deref().unwrap_or("")).trim_end().to_owned(),
                    property: formula.is_some().then_some(Property::Ltl { name }),
                    description: format!("Every run satisfies the formula {}", block.text.trim()),
                    formula: Some(block.text.trim().to_owned()),
                    span: Some(sources.place(block.span)),
                    ..PropertyInfo::default()
                });
            }
            _ => {}
        }
    }
    properties
}

/// Properties of infinite runs that labels state.
fn of_labels(model: Option<&Model>) -> Vec<PropertyInfo> {
    let Some(model) = model else { return Vec::new() };
    let has = |labelled: &dyn Fn(&Location) -> bool, claims: bool| {
        let claims = model.claims.iter().map(|claim| &claim.process).filter(|_| claims);
        let mut all = model.proctypes.iter().chain(claims);
        all.any(|process| process.graph.locations.iter().any(labelled))
    };
    let mut properties = Vec::new();
    if has(&|location| location.accept, true) {
        properties.push(PropertyInfo {
            property: Some(Property::Acceptance { claim: None }),
            title: "Acceptance cycles".to_owned(),
            description:
                "No infinite run comes again and again to an accept label, of a process or \
                          of the first never claim."
                    .to_owned(),
            ..PropertyInfo::default()
        });
    }
    if has(&|location| location.progress, false) {
        properties.push(PropertyInfo {
            property: Some(Property::Progress),
            title: "Progress".to_owned(),
            description: "Every infinite run comes again and again to a progress label.".to_owned(),
            ..PropertyInfo::default()
        });
    }
    properties
}

/// The automaton of the never claim that stands at a place.
fn claim_picture(model: &Model, span: Span) -> Option<AutomatonData> {
    let index = model.claims.iter().position(|claim| claim.process.span == span)?;
    claim::drawn(model, index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_protocol::File;

    fn experiment(text: &str, formula: &str) -> Experiment {
        let files = vec![File { name: "m.pml".to_owned(), text: text.to_owned() }];
        let property = Property::Formula { text: formula.to_owned() };
        Experiment { files, property, ..Experiment::default() }
    }

    const TEXT: &str =
        "#define busy (x > 0)\nbyte x;\nactive proctype P() { x = 1 }\nltl p { [] busy }\n";

    #[test]
    fn a_wrong_formula_hinders_nothing_else() {
        for formula in ["[] (y", "", "x } ltl", "never { T: do :: y od }", "HOA: v1"] {
            let (diagnostics, summary) = parse(&experiment(TEXT, formula));
            assert!(diagnostics.is_empty(), "{formula}: {diagnostics:?}");
            assert!(summary.properties.iter().all(|it| it.property.is_some()), "{formula}");
            assert_eq!(summary.properties.len(), 2, "{formula}");
        }
    }

    #[test]
    fn errors_of_the_text_are_not_the_formula_s() {
        for text in
            ["byte x;\nactive proctype P() { x = 1\n", "byte x; active proctype P() { x = }"]
        {
            for formula in ["[] (x < 2)", "never { T: do :: x > 1 od }", "[] (y"] {
                let found = findings(&experiment(text, ""), &[formula.to_owned()]);
                assert!(found[0].diagnostics.is_empty(), "{text}, {formula}: {found:?}");
                let property = Property::Formula { text: formula.to_owned() };
                let experiment = Experiment { property, ..experiment(text, "") };
                let sources = Sources::new(&experiment).expect("sources");
                let (model, diagnostics) =
                    sources.compile(&experiment.settings, &experiment.property);
                assert!(model.is_none() && !diagnostics.is_empty());
                let in_text = |it: &DiagnosticData| {
                    it.span.is_in_file() && it.span.end as usize <= text.len()
                };
                assert!(diagnostics.iter().all(in_text), "{text}, {formula}: {diagnostics:?}");
                assert!(!diagnostics[0].message.contains("ltl"), "{diagnostics:?}");
            }
        }
    }

    #[test]
    fn findings_have_places_in_the_formula() {
        let place = |formula: &str| {
            let found = findings(&experiment(TEXT, ""), &[formula.to_owned()]);
            let [found] = found.as_slice() else { panic!("one list for one formula") };
            assert_eq!(found.formula, formula);
            let first = found.diagnostics.first()?;
            assert_eq!(first.span.file, SpanData::PROPERTY, "{formula}");
            Some((first.span.column, first.message.clone()))
        };
        assert_eq!(place("[] (busy -> x == 1)"), None);
        assert_eq!(
            place("<> P@end_of_it").map(|it| it.0),
            Some(6),
            "{:?}",
            place("<> P@end_of_it")
        );
        assert_eq!(place("[] (x <= yy)"), Some((10, "`yy` is not declared".to_owned())));
        assert_eq!(place("[] (č == 1)").map(|it| it.0), Some(5));
        let (column, message) = place("[] (x <= 1").expect("an error");
        assert!(column == 11 && !message.contains('}'), "{message}");
        assert_eq!(place("x; y").map(|it| it.0), Some(2));
        assert_eq!(place("never { T0: do :: yy od }").map(|it| it.0), Some(19));
        assert!(place(" ").is_some() && place("HOA: v1").is_some());
        // What is wrong with the text is not said of the formula.
        let broken = experiment("byte x; active proctype P() { x = }", "");
        let found = findings(&broken, &["[] (x == 1)".to_owned()]);
        assert!(found[0].diagnostics.is_empty(), "{found:?}");
    }
}

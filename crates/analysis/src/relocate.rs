//! Moves variables: every place of a model, wherever it stands.

use promenade_ir::{
    Action, Expr, Formula, Graph, Initializer, Model, Pattern, Place, Print, PrintPart, Proctype,
};

/// Calls `see` with every place of a model, claims and formulas included.
pub(crate) fn each_place(model: &mut Model, see: &mut dyn FnMut(&mut Place)) {
    let mut to = Places { see };
    model.initializers.iter_mut().for_each(|it| to.initializer(it));
    model.proctypes.iter_mut().for_each(|it| to.process(it));
    for claim in &mut model.claims {
        to.process(&mut claim.process);
        to.exprs(claim.labels.iter_mut().flat_map(|it| &mut it.propositions));
    }
    to.exprs(model.promises.iter_mut().map(|it| &mut it.channel));
    model.formulas.iter_mut().for_each(|it| to.formula(&mut it.formula));
    if let Some(trace) = &mut model.trace {
        to.process(&mut trace.process);
        for (_, event) in &mut trace.events {
            to.expr(&mut event.channel);
            to.patterns(&mut event.patterns);
        }
    }
}

/// The same expression, whatever place of the text it stands at.
pub fn without_spans(expr: &Expr) -> Expr {
    let mut expr = expr.clone();
    let mut see = |place: &mut Place| {
        place.indices.iter_mut().for_each(|it| it.span = Default::default());
    };
    Places { see: &mut see }.expr(&mut expr);
    expr
}

struct Places<'a> {
    see: &'a mut dyn FnMut(&mut Place),
}

impl Places<'_> {
    fn process(&mut self, process: &mut Proctype) {
        process.parameters.iter_mut().for_each(|it| self.place(it));
        process.initializers.iter_mut().for_each(|it| self.initializer(it));
        process.provided.iter_mut().for_each(|it| self.expr(it));
        self.graph(&mut process.graph);
    }

    fn graph(&mut self, graph: &mut Graph) {
        for edge in graph.locations.iter_mut().flat_map(|it| &mut it.edges) {
            self.action(&mut edge.action);
        }
    }

    fn initializer(&mut self, initializer: &mut Initializer) {
        match initializer {
            Initializer::Value { place, value, .. } => {
                self.place(place);
                self.expr(value);
            }
            Initializer::Channel { place, .. } => self.place(place),
        }
    }

    fn formula(&mut self, formula: &mut Formula) {
        match formula {
            Formula::Atom(expr, _, _) => self.expr(expr),
            Formula::Not(a) | Formula::Next(a) | Formula::Always(a) | Formula::Eventually(a) => {
                self.formula(a);
            }
            Formula::Binary(_, a, b) => {
                self.formula(a);
                self.formula(b);
            }
        }
    }

    fn place(&mut self, place: &mut Place) {
        (self.see)(place);
        place.indices.iter_mut().for_each(|it| self.expr(&mut it.value));
    }

    fn patterns(&mut self, patterns: &mut [Pattern]) {
        for pattern in patterns {
            match pattern {
                Pattern::Match(e) => self.expr(e),
                Pattern::Store(place) => self.place(place),
                Pattern::Any => {}
            }
        }
    }

    fn exprs<'e>(&mut self, list: impl IntoIterator<Item = &'e mut Expr>) {
        list.into_iter().for_each(|it| self.expr(it));
    }

    fn expr(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Const(_)
            | Expr::Pid
            | Expr::NrPr
            | Expr::Last
            | Expr::Priority
            | Expr::Timeout
            | Expr::NonProgress => {}
            Expr::Load(place) => self.place(place),
            Expr::Unary(_, a)
            | Expr::Len(a)
            | Expr::ChannelTest(_, a)
            | Expr::Enabled(a)
            | Expr::PcValue(a)
            | Expr::GetPriority(a) => self.expr(a),
            Expr::Binary(_, a, b) | Expr::And(a, b) | Expr::Or(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Expr::Conditional(a, b, c) => {
                self.expr(a);
                self.expr(b);
                self.expr(c);
            }
            Expr::Poll { channel, patterns, .. } => {
                self.expr(channel);
                self.patterns(patterns);
            }
            Expr::RemoteLocation { index, .. } => self.exprs(index.as_deref_mut()),
            Expr::RemoteLoad { index, place, .. } => {
                self.exprs(index.as_deref_mut());
                self.place(place);
            }
        }
    }

    fn action(&mut self, action: &mut Action) {
        match action {
            Action::Skip | Action::Else | Action::End => {}
            Action::Condition(e) | Action::Assert(e) => self.expr(e),
            Action::Assign { target, value } => {
                target.iter_mut().for_each(|it| self.place(it));
                self.expr(value);
            }
            Action::Print(print) => self.print(print),
            Action::Send { channel, arguments, .. } => {
                self.expr(channel);
                self.exprs(arguments);
            }
            Action::Receive { channel, patterns, .. } => {
                self.expr(channel);
                self.patterns(patterns);
            }
            Action::Run { arguments, priority, target, .. } => {
                self.exprs(arguments);
                self.exprs(priority);
                target.iter_mut().for_each(|it| self.place(it));
            }
            Action::SetPriority { process, priority } => {
                self.expr(process);
                self.expr(priority);
            }
            Action::DStep(step) => self.graph(&mut step.graph),
            Action::Sequence(actions) => actions.iter_mut().for_each(|it| self.action(it)),
        }
    }

    fn print(&mut self, print: &mut Print) {
        for part in &mut print.parts {
            match part {
                PrintPart::Text(_) => {}
                PrintPart::Decimal(e)
                | PrintPart::Unsigned(e)
                | PrintPart::Hexadecimal(e)
                | PrintPart::Octal(e)
                | PrintPart::Character(e)
                | PrintPart::Symbol(e, _) => self.expr(e),
            }
        }
    }
}

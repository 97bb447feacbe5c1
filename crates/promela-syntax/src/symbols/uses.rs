//! Uses of names in statements, expressions and formulas.

use super::SymbolKind;
use super::walk::{Later, Walker};
use crate::ast::*;
use std::collections::HashMap;

impl Walker<'_> {
    pub(super) fn sequence(&mut self, sequence: &Sequence) {
        self.scopes.push((HashMap::new(), Some(sequence.span)));
        for statement in &sequence.statements {
            self.statement(statement);
        }
        self.scopes.pop();
    }

    /// Statements of an option: no scope of their own in Promela.
    fn option(&mut self, sequence: &Sequence) {
        for statement in &sequence.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        use StatementKind::*;
        match &statement.kind {
            Declaration(declaration) => self.declaration(declaration, SymbolKind::Local),
            Mtype(list) => self.mtype(list),
            ExclusiveReceive(channels) | ExclusiveSend(channels) => {
                channels.iter().for_each(|c| self.reference(c));
            }
            Assign(target, value) => {
                self.reference(target);
                self.expr(value);
            }
            Increment(target) | Decrement(target) => self.reference(target),
            Expr(value) | Assert(value) | Printm(value) | Return(value) => self.expr(value),
            Goto(label) => {
                let index = self.labels.last().and_then(|l| l.get(&label.text)).copied();
                if let Some(index) = index {
                    self.use_name(label, index);
                }
            }
            Printf(_, arguments) => arguments.iter().for_each(|a| self.expr(a)),
            Send { channel, arguments, .. } => {
                self.reference(channel);
                arguments.iter().for_each(|a| self.expr(a));
            }
            Receive { channel, arguments, .. } => {
                self.reference(channel);
                self.receive(arguments);
            }
            If(options) | Do(options) => options.iter().for_each(|o| self.option(o)),
            Atomic(body) | DStep(body) | Block(body) => self.sequence(body),
            Unless(main, escape) => {
                self.statement(main);
                self.statement(escape);
            }
            ForRange { variable, from, to, body } => {
                self.reference(variable);
                self.expr(from);
                self.expr(to);
                self.sequence(body);
            }
            ForIn { variable, container, body } => {
                self.reference(variable);
                self.reference(container);
                self.sequence(body);
            }
            Select { variable, from, to, .. } => {
                self.reference(variable);
                self.expr(from);
                self.expr(to);
            }
            InlineCall { name, result, body } => {
                if let Some(&index) = self.inlines.get(&name.text) {
                    self.use_name(name, index);
                }
                if let Some(result) = result {
                    self.reference(result);
                }
                let mut labels = HashMap::new();
                self.labels_in(&body.statements, body.span, &mut labels);
                self.labels.push(labels);
                self.sequence(body);
                self.labels.pop();
            }
            SetPriority(process, priority) => {
                self.expr(process);
                self.expr(priority);
            }
            Skip { .. } | Else | Break | CCode(_) | Error => {}
        }
    }

    fn receive(&mut self, arguments: &[ReceiveArgument]) {
        for argument in arguments {
            match argument {
                ReceiveArgument::Variable(variable) => self.reference(variable),
                ReceiveArgument::Eval(value, _) => self.expr(value),
                ReceiveArgument::Constant(..) => {}
            }
        }
    }

    pub(super) fn reference(&mut self, variable: &VarRef) {
        for segment in &variable.segments {
            if let Some(index) = &segment.index {
                self.expr(index);
            }
        }
        let Some(first) = variable.segments.first() else { return };
        match self.lookup(&first.name.text) {
            Some(index) => {
                self.use_name(&first.name, index);
                self.fields_of(index, variable);
            }
            None => self.later.push(Later::Global(first.name.clone())),
        }
    }

    /// The fields behind the first name.
    pub(super) fn fields_of(&mut self, index: usize, variable: &VarRef) {
        let mut owner = self.out.definitions.get(index).and_then(|d| d.structure.clone());
        for segment in variable.segments.iter().skip(1) {
            let Some(structure) = owner.take() else { return };
            let key = (structure, segment.name.text.clone());
            let Some(&field) = self.fields.get(&key) else { return };
            self.use_name(&segment.name, field);
            owner = self.out.definitions.get(field).and_then(|d| d.structure.clone());
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        use ExprKind::*;
        match &expr.kind {
            Var(variable) | Len(variable) | ChannelTest(_, variable) => self.reference(variable),
            Unary(_, inner) | Enabled(inner) | PcValue(inner) | GetPriority(inner) => {
                self.expr(inner);
            }
            Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Conditional(condition, yes, no) => {
                self.expr(condition);
                self.expr(yes);
                self.expr(no);
            }
            Run { name, arguments, priority } => {
                self.later.push(Later::Proctype(name.clone()));
                arguments.iter().for_each(|a| self.expr(a));
                if let Some(priority) = priority {
                    self.expr(priority);
                }
            }
            Poll { channel, arguments, .. } => {
                self.reference(channel);
                self.receive(arguments);
            }
            RemoteLabel { process, index, label } => {
                self.later.push(Later::Proctype(process.clone()));
                if let Some(index) = index {
                    self.expr(index);
                }
                self.later
                    .push(Later::Label { process: process.text.clone(), name: label.clone() });
            }
            RemoteVar { process, index, variable } => {
                self.later.push(Later::Proctype(process.clone()));
                if let Some(index) = index {
                    self.expr(index);
                }
                let (process, variable) = (process.text.clone(), variable.clone());
                self.later.push(Later::Variable { process, variable });
            }
            Int(_) | Bool(_) | Timeout | NonProgress | CExpr(_) | Error => {}
        }
    }

    pub(super) fn formula(&mut self, formula: &Formula) {
        match &formula.kind {
            FormulaKind::Atom(expr) => self.expr(expr),
            FormulaKind::Not(inner)
            | FormulaKind::Next(inner)
            | FormulaKind::Always(inner)
            | FormulaKind::Eventually(inner) => self.formula(inner),
            FormulaKind::Binary(_, left, right) => {
                self.formula(left);
                self.formula(right);
            }
        }
    }
}

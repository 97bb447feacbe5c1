//! What names mean: globals, and locals in nested scopes.

use crate::types::Var;
use promenade_base::Span;
use promenade_ir::MtypeSetId;
use std::collections::HashMap;
use std::rc::Rc;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Symbol {
    Variable(Rc<Var>),
    /// A symbolic name: value and set.
    Mtype(i32, MtypeSetId),
    Typedef(usize),
    Proctype,
}

impl Symbol {
    /// For messages: `a variable`.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Self::Variable(_) => "a variable",
            Self::Mtype(..) => "an mtype name",
            Self::Typedef(_) => "a typedef",
            Self::Proctype => "a process type",
        }
    }
}

/// A name with the place of its declaration.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub symbol: Symbol,
    pub span: Span,
}

/// The number of a scope; unique in a body.
pub(crate) type ScopeId = u32;

/// Nested scopes of one body. The outermost holds parameters.
#[derive(Default, Debug)]
pub(crate) struct Scopes {
    /// Open scopes, innermost last.
    open: Vec<(ScopeId, HashMap<Rc<str>, Named>)>,
    /// By scope: the enclosing one.
    parents: Vec<ScopeId>,
}

impl Scopes {
    pub(crate) fn enter(&mut self) {
        let id = self.parents.len() as ScopeId;
        self.parents.push(self.open.last().map_or(id, |s| s.0));
        self.open.push((id, HashMap::new()));
    }

    pub(crate) fn leave(&mut self) {
        self.open.pop();
    }

    /// The innermost scope.
    pub(crate) fn current(&self) -> ScopeId {
        self.open.last().map_or(0, |s| s.0)
    }

    /// The scope and those around it, from the inside out.
    pub(crate) fn around(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
        std::iter::successors(Some(scope), |scope| {
            self.parents.get(*scope as usize).copied().filter(|parent| parent != scope)
        })
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Named> {
        self.open.iter().rev().find_map(|(_, names)| names.get(name))
    }

    pub(crate) fn insert(&mut self, name: Rc<str>, named: Named) {
        if let Some((_, names)) = self.open.last_mut() {
            names.insert(name, named);
        }
    }

    /// All names in sight.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.open.iter().flat_map(|(_, names)| names.keys().map(|k| &**k))
    }
}

/// Names that are always there.
pub(crate) const PREDEFINED: [&str; 6] = ["_", "_pid", "_nr_pr", "_last", "_priority", "STDIN"];

/// Whether the name is predefined.
pub(crate) fn is_predefined(name: &str) -> bool {
    PREDEFINED.contains(&name)
}

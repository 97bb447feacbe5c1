//! The body at hand: of a process type, a claim or a trace assertion.

use crate::flow::Flow;
use crate::names::{ScopeId, Scopes};
use crate::types::Var;
use promenade_base::Span;
use promenade_ir::{Channel, Expr, Initializer, Place, ProctypeId};
use std::collections::HashMap;
use std::rc::Rc;

/// What kind of body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BodyKind {
    /// Between units.
    None,
    Process(ProctypeId),
    Claim,
    Trace,
    Formula,
}

/// A body.
pub(crate) struct Body {
    pub kind: BodyKind,
    pub name: Rc<str>,
    pub span: Span,
    pub scopes: Scopes,
    pub vars: Vec<Rc<Var>>,
    pub bytes: u64,
    pub parameters: Vec<Place>,
    pub initializers: Vec<Initializer>,
    pub channels: Vec<Channel>,
    pub flow: Flow,
    /// Declarations are initial values here, not steps.
    pub early: bool,
    /// The d_step at hand.
    pub d_step: Option<u32>,
    pub d_steps: u32,
    /// Expanded inline calls that are open, with their places, and how many there were.
    pub inlines: Vec<(u32, Span)>,
    pub inline_calls: u32,
    /// Counters of loops over channels, by scope.
    pub counters: HashMap<ScopeId, Rc<Var>>,
    /// What the rest of a process type says.
    pub provided: Option<Expr>,
    pub deterministic: bool,
    pub priority: u8,
}

impl Body {
    pub(crate) fn new(kind: BodyKind, name: Rc<str>, span: Span) -> Self {
        Self {
            kind,
            name,
            span,
            scopes: Scopes::default(),
            vars: Vec::new(),
            bytes: 0,
            parameters: Vec::new(),
            initializers: Vec::new(),
            channels: Vec::new(),
            flow: Flow::default(),
            early: true,
            d_step: None,
            d_steps: 0,
            inlines: Vec::new(),
            inline_calls: 0,
            counters: HashMap::new(),
            provided: None,
            deterministic: false,
            priority: 1,
        }
    }

    /// Whether this is the text of a process.
    pub(crate) fn is_process(&self) -> bool {
        matches!(self.kind, BodyKind::Process(_))
    }
}

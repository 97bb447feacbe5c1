//! Names for numbers: where the text says `state = BUSY`, a trace should not say `state = 2` alone.
//!
//! Names are those of macros (`#define BUSY 2`) and of mtype constants in variables of other types. A
//! value has a name in a variable, or in a field of a channel, if some statement sets or compares it
//! with that name, and none with another one.

use promenade_base::SourceMap;
use promenade_ir::Model;
use promenade_promela_syntax::ast::{
    BinaryOperator, Declaration, Expr, ExprKind, Initializer, Item, ReceiveArgument, Sequence,
    Specification, Statement, StatementKind, UnaryOperator, VarRef,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A variable without its indices: the process type it is local to, and its name with fields.
type Key = (Option<String>, String);
/// Names by value; `None` if there are several for one.
type Names = BTreeMap<i32, Option<String>>;

/// The names of values.
#[derive(Default, Debug)]
pub(crate) struct ValueNames {
    variables: HashMap<Key, Names>,
    /// By channel and field.
    fields: HashMap<(Key, usize), Names>,
}

impl ValueNames {
    /// Reads them off the text.
    pub(crate) fn new(tree: &Specification, map: &SourceMap, model: &Model) -> Self {
        let mut constants = HashMap::new();
        for set in &model.mtypes {
            for (name, value) in &set.members {
                constants.insert(name.clone(), *value);
            }
        }
        let mut reader = Reader {
            map,
            constants,
            parameters: parameters(tree),
            names: Self::default(),
            same: Vec::new(),
            scope: None,
            locals: HashSet::new(),
        };
        tree.items.iter().for_each(|item| reader.item(item));
        reader.share_channels();
        reader.names
    }

    /// Whether there is no name at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.fields.is_empty()
    }

    /// A value of a variable with its name, if it has one: `2 (BUSY)`.
    pub(crate) fn variable(&self, scope: Option<&str>, name: &str, value: &str) -> Option<String> {
        let key = (scope.map(str::to_owned), bare(name));
        named(self.variables.get(&key)?, value)
    }

    /// The same for a field of a channel's message.
    pub(crate) fn field(
        &self,
        scope: Option<&str>,
        channel: &str,
        field: usize,
        value: &str,
    ) -> Option<String> {
        let key = (scope.map(str::to_owned), bare(channel));
        named(self.fields.get(&(key, field))?, value)
    }
}

fn named(names: &Names, value: &str) -> Option<String> {
    let name = names.get(&value.parse().ok()?)?.as_deref()?;
    Some(format!("{value} ({name})"))
}

/// A name without its indices: `a[2].f` becomes `a.f`.
fn bare(name: &str) -> String {
    let mut depth = 0;
    let outside = |c: &char| {
        depth += i32::from(*c == '[');
        let keep = depth == 0;
        depth -= i32::from(*c == ']');
        keep
    };
    name.chars().filter(outside).collect()
}

fn note(names: &mut Names, value: i32, name: &str) {
    let known = names.entry(value).or_insert_with(|| Some(name.to_owned()));
    if known.as_deref() != Some(name) {
        *known = None;
    }
}

/// The names of the parameters of each process type.
fn parameters(tree: &Specification) -> HashMap<String, Vec<String>> {
    let mut all = HashMap::new();
    for item in &tree.items {
        if let Item::Proctype(proctype) = item {
            let declared = proctype.parameters.iter().flat_map(|it| &it.declarators);
            let names = declared.map(|it| it.name.text.to_string()).collect();
            all.insert(proctype.name.text.to_string(), names);
        }
    }
    all
}

struct Reader<'a> {
    map: &'a SourceMap,
    /// Mtype constants.
    constants: HashMap<String, i32>,
    parameters: HashMap<String, Vec<String>>,
    names: ValueNames,
    /// Variables that may hold the same channel.
    same: Vec<(Key, Key)>,
    /// The process type that is read, with the names that are local to it.
    scope: Option<String>,
    locals: HashSet<String>,
}

impl Reader<'_> {
    fn item(&mut self, item: &Item) {
        let (name, parameters, body) = match item {
            Item::Declaration(declaration) => return self.declaration(declaration),
            Item::Proctype(it) => (it.name.text.to_string(), it.parameters.as_slice(), &it.body),
            Item::Init(it) => ("init".to_owned(), [].as_slice(), &it.body),
            Item::Ltl(_)
            | Item::Mtype(_)
            | Item::Typedef(_)
            | Item::Never(_)
            | Item::Trace(_)
            | Item::Inline(_)
            | Item::CCode(_) => return,
        };
        self.scope = Some(name);
        parameters.iter().for_each(|it| self.declaration(it));
        self.sequence(body);
        self.scope = None;
        self.locals.clear();
    }

    fn key(&self, variable: &VarRef) -> Key {
        let names: Vec<&str> = variable.segments.iter().map(|it| &*it.name.text).collect();
        let local = names.first().is_some_and(|first| self.locals.contains(*first));
        (self.scope.clone().filter(|_| local), names.join("."))
    }

    /// The value of a constant that the text gives a name, with that name.
    fn constant(&self, e: &Expr) -> Option<(i32, String)> {
        match &e.kind {
            ExprKind::Int(value) => self.macro_name(*value, e),
            ExprKind::Unary(UnaryOperator::Negate, inner) => match inner.kind {
                ExprKind::Int(value) => self.macro_name(value.wrapping_neg(), e),
                _ => None,
            },
            ExprKind::Var(variable) => self.mtype(variable),
            _ => None,
        }
    }

    fn macro_name(&self, value: i32, e: &Expr) -> Option<(i32, String)> {
        self.name_at(e.span).map(|name| (value, name))
    }

    /// A macro's name, where the text has one at the place of a number.
    fn name_at(&self, span: promenade_base::Span) -> Option<String> {
        let text = self.map.text(span);
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_name = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        (is_name && text.chars().all(word)).then(|| text.to_owned())
    }

    fn mtype(&self, variable: &VarRef) -> Option<(i32, String)> {
        let [only] = variable.segments.as_slice() else { return None };
        let value = self.constants.get(&*only.name.text)?;
        Some((*value, only.name.text.to_string()))
    }

    fn pair(&mut self, variable: Key, value: &Expr) {
        if let Some((value, name)) = self.constant(value) {
            note(self.names.variables.entry(variable).or_default(), value, &name);
        } else if let ExprKind::Var(other) = &value.kind {
            let other = self.key(other);
            self.same.push((variable, other));
        }
    }

    fn field(&mut self, channel: &VarRef, index: usize, found: Option<(i32, String)>) {
        if let Some((value, name)) = found {
            let key = (self.key(channel), index);
            note(self.names.fields.entry(key).or_default(), value, &name);
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        for it in &declaration.declarators {
            let key = (self.scope.clone(), it.name.text.to_string());
            if self.scope.is_some() {
                self.locals.insert(it.name.text.to_string());
            }
            match &it.initializer {
                Some(Initializer::Value(value)) => {
                    self.expression(value);
                    self.pair(key, value);
                }
                Some(Initializer::List(values, _)) => {
                    values.iter().for_each(|value| self.pair(key.clone(), value));
                }
                Some(Initializer::Channel { .. }) | None => {}
            }
        }
    }

    fn sequence(&mut self, sequence: &Sequence) {
        sequence.statements.iter().for_each(|it| self.statement(it));
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declaration(declaration) => self.declaration(declaration),
            StatementKind::Assign(variable, value) => {
                let key = self.key(variable);
                self.expression(value);
                self.pair(key, value);
            }
            StatementKind::Expr(e) | StatementKind::Assert(e) => self.expression(e),
            StatementKind::Send { channel, arguments, .. } => {
                for (index, value) in arguments.iter().enumerate() {
                    self.field(channel, index, self.constant(value));
                }
            }
            StatementKind::Receive { channel, arguments, .. } => {
                self.receive(channel, arguments);
            }
            StatementKind::If(options) | StatementKind::Do(options) => {
                options.iter().for_each(|it| self.sequence(it));
            }
            StatementKind::Atomic(body)
            | StatementKind::DStep(body)
            | StatementKind::Block(body)
            | StatementKind::ForRange { body, .. }
            | StatementKind::ForIn { body, .. }
            | StatementKind::InlineCall { body, .. } => self.sequence(body),
            StatementKind::Unless(main, escape) => {
                self.statement(main);
                self.statement(escape);
            }
            _ => {}
        }
    }

    fn receive(&mut self, channel: &VarRef, arguments: &[ReceiveArgument]) {
        for (index, argument) in arguments.iter().enumerate() {
            let found = match argument {
                ReceiveArgument::Variable(variable) => self.mtype(variable),
                ReceiveArgument::Constant(value, span) => {
                    self.name_at(*span).zip(i32::try_from(*value).ok()).map(|(n, v)| (v, n))
                }
                ReceiveArgument::Eval(e, _) => self.constant(e),
            };
            self.field(channel, index, found);
        }
    }

    fn expression(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Binary(BinaryOperator::Equal | BinaryOperator::NotEqual, a, b) => {
                for (variable, value) in [(a, b), (b, a)] {
                    if let ExprKind::Var(variable) = &variable.kind
                        && let Some((value, name)) = self.constant(value)
                    {
                        let key = self.key(variable);
                        note(self.names.variables.entry(key).or_default(), value, &name);
                    }
                }
            }
            ExprKind::Binary(BinaryOperator::And | BinaryOperator::Or, a, b) => {
                self.expression(a);
                self.expression(b);
            }
            ExprKind::Unary(_, inner) => self.expression(inner),
            ExprKind::Conditional(a, b, c) => {
                [a, b, c].into_iter().for_each(|it| self.expression(it));
            }
            ExprKind::Poll { channel, arguments, .. } => self.receive(channel, arguments),
            ExprKind::Run { name, arguments, .. } => {
                let names = self.parameters.get(&*name.text).cloned().unwrap_or_default();
                for (parameter, value) in names.into_iter().zip(arguments) {
                    self.pair((Some(name.text.to_string()), parameter), value);
                }
            }
            _ => {}
        }
    }

    /// Variables that may hold the same channel have the same names for its fields.
    fn share_channels(&mut self) {
        // Names travel along the pairs both ways, one pair further in every round.
        for _ in 0..4 {
            for (a, b) in &self.same {
                for (from, to) in [(a, b), (b, a)] {
                    let fields = (0..MOST_FIELDS).filter_map(|field| {
                        Some((field, self.names.fields.get(&(from.clone(), field))?.clone()))
                    });
                    for (field, names) in fields.collect::<Vec<_>>() {
                        let known = self.names.fields.entry((to.clone(), field)).or_default();
                        for (value, name) in names {
                            match name {
                                Some(name) => note(known, value, &name),
                                None => {
                                    known.insert(value, None);
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Fields of a message that are looked at.
const MOST_FIELDS: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_names_of_the_text() {
        let text = "#define IDLE 0\n#define BUSY 2\n#define LOST (-1)\n#define TWO 2\n\
                    mtype = { req, ack };\n\
                    byte st = IDLE; short t; byte both; byte plain = 2; chan q = [2] of { byte, byte };\n\
                    inline set(v) { st = v }\n\
                    proctype P(chan in) { byte x; in?BUSY,_; x = BUSY }\n\
                    init { byte y[2]; set(BUSY); t = LOST; y[1] = ack; both = BUSY; both == TWO;\n\
                    q!IDLE,ack; run P(q) }";
        let map = SourceMap::single("m", text);
        let options = promenade_promela_syntax::ParseOptions::default();
        let tree = promenade_promela_syntax::parse(&map, &options);
        let compiled =
            promenade_promela::compile(&map, &promenade_promela::CompileOptions::default());
        let model = compiled.value.expect("a model").model;
        let names = ValueNames::new(&tree.value, &map, &model);
        let global = |name, value| names.variable(None, name, value);
        assert_eq!(global("st", "2").as_deref(), Some("2 (BUSY)"));
        assert_eq!(global("st", "0").as_deref(), Some("0 (IDLE)"));
        assert_eq!(global("st", "1"), None);
        assert_eq!(global("t", "-1").as_deref(), Some("-1 (LOST)"));
        assert_eq!(global("both", "2"), None, "two names");
        assert_eq!(global("plain", "2"), None);
        assert_eq!(names.variable(Some("P"), "x", "2").as_deref(), Some("2 (BUSY)"));
        assert_eq!(names.variable(Some("init"), "y[1]", "1").as_deref(), Some("1 (ack)"));
        assert_eq!(names.variable(None, "x", "2"), None);
        assert_eq!(names.field(None, "q", 0, "0").as_deref(), Some("0 (IDLE)"));
        assert_eq!(names.field(None, "q", 0, "2").as_deref(), Some("2 (BUSY)"), "by the parameter");
        assert_eq!(names.field(None, "q", 1, "1").as_deref(), Some("1 (ack)"));
        assert_eq!(names.field(None, "q", 1, "2"), None);
    }
}

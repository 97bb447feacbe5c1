//! References to variables: places with their indices.

use crate::lowering::Lowering;
use crate::names::Symbol;
use crate::types::{Shape, Ty, Var};
use promenade_base::Diagnostic;
use promenade_ir::{Expr, IndexTerm, Place, ScalarType};
use promenade_promela_syntax::ast::{Segment, VarRef};
use std::rc::Rc;

/// A resolved reference to a variable.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// With the type of the cell; of no meaning for a whole structure.
    pub place: Place,
    /// What the last name was declared as.
    pub shape: Shape,
}

/// What a reference means.
pub(crate) enum Referent {
    Cell(Cell),
    Mtype(i32),
    Pid,
    NrPr,
    Last,
    Priority,
    /// `_`
    Nothing,
}

impl Lowering<'_> {
    /// What a reference means; none after an error.
    pub(crate) fn resolve(&mut self, r: &VarRef) -> Option<Referent> {
        let first = r.segments.first()?;
        let predefined = match &*first.name.text {
            "_" => Some(Referent::Nothing),
            "_pid" => Some(Referent::Pid),
            "_nr_pr" => Some(Referent::NrPr),
            "_last" => Some(Referent::Last),
            "_priority" => Some(Referent::Priority),
            "STDIN" => {
                self.out.error_hint(
                    "stdin",
                    first.name.span,
                    "`STDIN` cannot be read in a verification",
                    "Let a process choose the input with `select` or `if`.",
                );
                return None;
            }
            _ => None,
        };
        if let Some(predefined) = predefined {
            if let Some(index) = r.segments.iter().find_map(|s| s.index.as_ref()) {
                self.out.error(
                    "index-on-scalar",
                    index.span,
                    format!("`{}` is not an array", first.name.text),
                );
                return None;
            }
            match predefined {
                Referent::Last => self.model.uses_last = true,
                Referent::Priority => self.use_priority(first.name.span),
                _ => {}
            }
            return Some(predefined);
        }
        let symbol = self.find(&first.name.text).map(|n| n.symbol.clone());
        match symbol {
            None => {
                self.undeclared(&first.name);
                None
            }
            Some(Symbol::Mtype(value, _)) if r.segments.len() == 1 && first.index.is_none() => {
                Some(Referent::Mtype(value))
            }
            Some(Symbol::Variable(var)) => self.cell(var, &r.segments).map(Referent::Cell),
            Some(other) => {
                self.out.error(
                    "not-a-variable",
                    first.name.span,
                    format!("`{}` is {}, not a variable", first.name.text, other.describe()),
                );
                None
            }
        }
    }

    /// The cell that names and indices lead to, from a variable on.
    pub(crate) fn cell(&mut self, var: Rc<Var>, segments: &[Segment]) -> Option<Cell> {
        if var.region != promenade_ir::Region::Local {
            self.uses.reads.push(var.number);
        }
        let mut place = Place {
            region: var.region,
            offset: var.offset,
            ty: ScalarType::Int,
            indices: Vec::new(),
        };
        let mut shape = var.shape.clone();
        let mut complete = true;
        for (i, segment) in segments.iter().enumerate() {
            if i > 0 {
                let Ty::Struct(index) = shape.ty else {
                    self.out.error(
                        "no-field",
                        segment.name.span,
                        format!("`{}` is not a structure", segments[i - 1].name.text),
                    );
                    return None;
                };
                let Some(field) = self.structs[index].field(&segment.name.text) else {
                    self.unknown_field(index, segment);
                    return None;
                };
                place.offset += field.offset;
                shape = field.shape.clone();
            }
            complete &= self.index(segment, &shape, &mut place);
        }
        if let Ty::Scalar(ty) = shape.ty {
            place.ty = ty;
        }
        complete.then_some(Cell { place, shape })
    }

    fn unknown_field(&mut self, index: usize, segment: &Segment) {
        let structure = &self.structs[index];
        let mut diagnostic = Diagnostic::error(
            "no-field",
            segment.name.span,
            format!("structure `{}` has no field `{}`", structure.name, segment.name.text),
        );
        let names = structure.fields.iter().map(|f| &*f.name);
        if let Some(close) = self.out.guess(&segment.name.text, names) {
            diagnostic = diagnostic.with_hint(format!("Did you mean `{close}`?"));
        }
        self.out.report(diagnostic);
    }

    /// Adds the index of one name; false after an error.
    fn index(&mut self, segment: &Segment, shape: &Shape, place: &mut Place) -> bool {
        let name = &segment.name;
        let Some(length) = shape.length else {
            let Some(index) = &segment.index else { return true };
            let before = self.out.errors();
            let value = self.expr(index);
            if self.out.errors() == before && !matches!(value, Expr::Const(0)) {
                self.out.error(
                    "index-on-scalar",
                    index.span,
                    format!("`{}` is not an array", name.text),
                );
            }
            return self.out.errors() == before;
        };
        let Some(index) = &segment.index else {
            self.out.error_hint(
                "missing-index",
                name.span,
                format!("`{}` is an array and needs an index", name.text),
                format!("Write `{}[..]` with an index from 0 to {}.", name.text, length - 1),
            );
            return false;
        };
        let before = self.out.errors();
        let value = self.expr(index);
        match value {
            Expr::Const(i) if i >= 0 && (i as u32) < length => {
                place.offset += i as u32 * shape.element_bytes;
            }
            value => {
                if let Expr::Const(i) = value
                    && self.out.errors() == before
                {
                    self.out.warning(
                        "index-out-of-bounds",
                        index.span,
                        format!("index {i} lies outside of `{}`", name.text),
                        format!("Its indices are 0 to {}.", length - 1),
                    );
                }
                place.indices.push(IndexTerm {
                    value,
                    length,
                    stride: shape.element_bytes,
                    span: index.span,
                });
            }
        }
        self.out.errors() == before
    }
}

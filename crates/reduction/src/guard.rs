//! Guards that only the process itself can open: while one is false, its statement stays disabled
//! until the process moves, whatever the rest of the guard says.

use promenade_ir::{Action, BinaryOp, Expr, Place, Region, ScalarType, UnaryOp};

/// The conjuncts of an action's guard that read nothing but locals of the process, as far as they
/// are evaluated before anything that could go wrong.
pub(crate) fn own_guards(action: &Action) -> Vec<Expr> {
    let mut guards = Vec::new();
    if let Some(guard) = guard(action) {
        conjuncts(guard, &mut false, &mut guards);
    }
    guards
}

fn guard(action: &Action) -> Option<&Expr> {
    match action {
        Action::Condition(e) => Some(e),
        Action::Sequence(actions) => guard(actions.first()?),
        Action::DStep(step) => {
            let entry = step.graph.locations.get(step.entry.0 as usize)?;
            let only = entry.edges.len() == 1 && step.start_edges.as_deref() == Some(&[0]);
            guard(&entry.edges.first().filter(|_| only)?.action)
        }
        _ => None,
    }
}

fn conjuncts(expr: &Expr, risky: &mut bool, out: &mut Vec<Expr>) {
    match expr {
        Expr::And(a, b) => {
            conjuncts(a, risky, out);
            conjuncts(b, risky, out);
        }
        e if own(e) => {
            if !*risky {
                out.push(e.clone());
            }
        }
        e => *risky |= !tame(e),
    }
}

fn plain(place: &Place) -> bool {
    place.indices.is_empty()
}

/// Whether the expression reads only locals, and cannot go wrong.
fn own(expr: &Expr) -> bool {
    match expr {
        Expr::Load(place) => place.region == Region::Local && plain(place),
        _ => operands(expr, &own),
    }
}

/// Whether the expression cannot go wrong.
fn tame(expr: &Expr) -> bool {
    match expr {
        Expr::Load(place) => plain(place),
        _ => operands(expr, &tame),
    }
}

/// Whether `each` holds for all operands of an expression that is not a place and cannot go wrong by itself.
fn operands(expr: &Expr, each: &dyn Fn(&Expr) -> bool) -> bool {
    match expr {
        Expr::Const(_) => true,
        Expr::Unary(_, a) => each(a),
        Expr::Binary(BinaryOp::Div | BinaryOp::Mod, _, _) => false,
        Expr::Binary(_, a, b) | Expr::And(a, b) | Expr::Or(a, b) => each(a) && each(b),
        Expr::Conditional(a, b, c) => each(a) && each(b) && each(c),
        _ => false,
    }
}

/// The value of an expression over locals; `None` if it is not one.
pub(crate) fn value(expr: &Expr, locals: &[u8]) -> Option<i32> {
    let both = |a, b| Some((value(a, locals)?, value(b, locals)?));
    Some(match expr {
        Expr::Const(n) => *n,
        Expr::Load(place) if place.region == Region::Local && plain(place) => {
            load(locals, place.offset as usize, place.ty)?
        }
        Expr::Unary(op, a) => {
            let a = value(a, locals)?;
            match op {
                UnaryOp::Not => i32::from(a == 0),
                UnaryOp::Negate => a.wrapping_neg(),
                UnaryOp::Complement => !a,
            }
        }
        Expr::Binary(op, a, b) => {
            let (a, b) = both(a, b)?;
            match op {
                BinaryOp::Add => a.wrapping_add(b),
                BinaryOp::Sub => a.wrapping_sub(b),
                BinaryOp::Mul => a.wrapping_mul(b),
                BinaryOp::Div | BinaryOp::Mod => return None,
                BinaryOp::BitAnd => a & b,
                BinaryOp::BitOr => a | b,
                BinaryOp::BitXor => a ^ b,
                BinaryOp::ShiftLeft => a.wrapping_shl(b as u32),
                BinaryOp::ShiftRight => a.wrapping_shr(b as u32),
                BinaryOp::Equal => i32::from(a == b),
                BinaryOp::NotEqual => i32::from(a != b),
                BinaryOp::Less => i32::from(a < b),
                BinaryOp::LessEqual => i32::from(a <= b),
                BinaryOp::Greater => i32::from(a > b),
                BinaryOp::GreaterEqual => i32::from(a >= b),
            }
        }
        Expr::And(a, b) => {
            let (a, b) = both(a, b)?;
            i32::from(a != 0 && b != 0)
        }
        Expr::Or(a, b) => {
            let (a, b) = both(a, b)?;
            i32::from(a != 0 || b != 0)
        }
        Expr::Conditional(c, a, b) => {
            let (a, b) = both(a, b)?;
            if value(c, locals)? != 0 { a } else { b }
        }
        _ => return None,
    })
}

fn load(locals: &[u8], at: usize, ty: ScalarType) -> Option<i32> {
    let bytes = locals.get(at..at + ty.bytes() as usize)?;
    Some(match (ty, bytes) {
        (ScalarType::Short, &[a, b]) => i32::from(i16::from_le_bytes([a, b])),
        (_, &[a]) => i32::from(a),
        (_, &[a, b]) => i32::from(u16::from_le_bytes([a, b])),
        (_, &[a, b, c, d]) => i32::from_le_bytes([a, b, c, d]),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(offset: u32, ty: ScalarType) -> Expr {
        Expr::Load(Place { region: Region::Local, offset, ty, indices: Vec::new() })
    }

    fn equals(a: Expr, n: i32) -> Expr {
        Expr::Binary(BinaryOp::Equal, Box::new(a), Box::new(Expr::Const(n)))
    }

    #[test]
    fn own_conjuncts_are_found_and_valued() {
        let global = Expr::Load(Place {
            region: Region::Global,
            offset: 0,
            ty: ScalarType::Byte,
            indices: Vec::new(),
        });
        let own = equals(local(1, ScalarType::Short), -2);
        let and = |a: Expr, b: Expr| Expr::And(Box::new(a), Box::new(b));
        let guards = own_guards(&Action::Condition(and(equals(global.clone(), 1), own.clone())));
        assert_eq!(guards.len(), 1);
        assert_eq!(value(&guards[0], &[0, 0xfe, 0xff]), Some(1));
        assert_eq!(value(&guards[0], &[0, 0xfe, 0]), Some(0));
        assert_eq!(value(&guards[0], &[0, 0xfe]), None);
        // What may go wrong comes first.
        let risky = Expr::Binary(BinaryOp::Div, Box::new(Expr::Const(1)), Box::new(global));
        assert!(own_guards(&Action::Condition(and(risky, own))).is_empty());
    }
}

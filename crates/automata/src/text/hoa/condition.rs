//! Acceptance conditions as conjunctions of sets to be met.

use crate::Marks;

/// A condition of the format. `Inf(!n)` is met by what is not in set n.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Condition {
    True,
    False,
    Inf { set: u32, not: bool },
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

/// A clause: met where one of the sets `yes` is met or one of the sets `no` is avoided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clause {
    yes: Marks,
    no: Marks,
}

impl Clause {
    /// Whether what has these marks meets the clause.
    pub(super) fn met(self, marks: Marks) -> bool {
        marks & self.yes != 0 || !marks & self.no != 0
    }

    /// Whether nothing meets it.
    pub(super) fn is_empty(self) -> bool {
        self.yes | self.no == 0
    }
}

impl Condition {
    /// Sets each of which is to be met again and again: `Inf(a) | Inf(b)` is `Inf(a or b)`. `None`
    /// if there would be more than 64; an empty clause is never met.
    pub(super) fn clauses(&self) -> Option<Vec<Clause>> {
        let list = match self {
            Self::True => Vec::new(),
            Self::False => vec![Clause { yes: 0, no: 0 }],
            Self::Inf { set, not: false } => vec![Clause { yes: 1 << set, no: 0 }],
            Self::Inf { set, not: true } => vec![Clause { yes: 0, no: 1 << set }],
            Self::And(parts) => {
                let mut list = Vec::new();
                for part in parts {
                    list.extend(part.clauses()?);
                }
                list
            }
            Self::Or(parts) => {
                let mut list = vec![Clause { yes: 0, no: 0 }];
                for part in parts {
                    let more = part.clauses()?;
                    if list.len() * more.len() > 4096 {
                        return None;
                    }
                    let joined = |a: &Clause| {
                        let a = *a;
                        more.iter().map(move |b| Clause { yes: a.yes | b.yes, no: a.no | b.no })
                    };
                    list = list.iter().flat_map(joined).collect();
                }
                list
            }
        };
        let mut unique: Vec<Clause> = Vec::new();
        for clause in list {
            // A set met or avoided: one of the two always happens again and again.
            if clause.yes & clause.no == 0 && !unique.contains(&clause) {
                unique.push(clause);
            }
        }
        (unique.len() <= 64).then_some(unique)
    }
}

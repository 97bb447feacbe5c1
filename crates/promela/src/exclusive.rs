//! `xr` and `xs`: promises for SPIN's reduction.

use crate::lowering::Lowering;
use promenade_base::{Diagnostic, Severity, Span};
use promenade_promela_syntax::ast::VarRef;

impl Lowering<'_> {
    /// Checks that the operands are channels. The promises change nothing in a search without
    /// reduction.
    pub(crate) fn exclusive(&mut self, list: &[VarRef], span: Span) {
        for r in list {
            self.channel(r);
        }
        if !self.body.is_process() {
            self.out.error(
                "misplaced-exclusive",
                span,
                "only a process type can promise exclusive use of a channel",
            );
            return;
        }
        let mut note = Diagnostic::warning(
            "exclusive-channel",
            span,
            "promises of exclusive use are not checked",
        )
        .with_hint("They only help SPIN's reduction; the verdict does not depend on them.");
        note.severity = Severity::Note;
        self.out.report(note);
    }
}

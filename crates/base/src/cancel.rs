//! Ways to ask a run to stop.

use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared between who runs and who may cancel; a run looks at it at least once a slice.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Asks the run to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A question put to the outside from within long steps: whether to give up. Who answers it may look
/// at a clock.
#[derive(Clone)]
pub struct Interrupt(Rc<dyn Fn() -> bool>);

impl Interrupt {
    /// Asks this function, which is called some thousand times a second.
    pub fn new(raised: impl Fn() -> bool + 'static) -> Self {
        Self(Rc::new(raised))
    }

    /// Whether to give up.
    pub fn is_raised(&self) -> bool {
        (self.0)()
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Interrupt")
    }
}

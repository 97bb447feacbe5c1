//! What a construction may still use.

use crate::{Options, TooLarge};
use promenade_base::Interrupt;

/// Steps between two looks at the interrupt: about a tenth of a millisecond.
const ASKED: usize = 4096;

/// Steps and bytes that are left, and who may end the work before they are used up.
pub(crate) struct Fuel<'a> {
    steps: usize,
    /// The interrupt is asked once no more than these are left.
    ask_at: usize,
    bytes: usize,
    interrupt: Option<&'a Interrupt>,
}

impl<'a> Fuel<'a> {
    /// All that the options allow.
    pub(crate) fn of(options: &Options<'a>) -> Self {
        let (steps, bytes) = (options.steps, options.memory);
        Self { steps, ask_at: steps, bytes, interrupt: options.interrupt }
    }

    /// Uses steps.
    ///
    /// # Errors
    /// There are not that many left, or somebody raised the interrupt.
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), TooLarge> {
        self.steps = self.steps.checked_sub(steps).ok_or(TooLarge::Steps)?;
        if self.steps <= self.ask_at {
            self.ask_at = self.steps.saturating_sub(ASKED);
            if self.interrupt.is_some_and(Interrupt::is_raised) {
                return Err(TooLarge::Interrupted);
            }
        }
        Ok(())
    }

    /// Takes bytes for good.
    ///
    /// # Errors
    /// There are not that many left.
    pub(crate) fn keep(&mut self, bytes: usize) -> Result<(), TooLarge> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(TooLarge::Memory)?;
        Ok(())
    }

    /// Whether some bytes can be had for a while.
    ///
    /// # Errors
    /// There are not that many left.
    pub(crate) fn allows(&self, bytes: usize) -> Result<(), TooLarge> {
        if bytes > self.bytes { Err(TooLarge::Memory) } else { Ok(()) }
    }
}

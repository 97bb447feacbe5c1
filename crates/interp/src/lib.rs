//! Reference semantics: runs an executable model as a transition system.

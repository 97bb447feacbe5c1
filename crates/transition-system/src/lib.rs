//! The narrow waist: states as bytes, successors as a buffer, one trait.

//! The browser worker around a session.

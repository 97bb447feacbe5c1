//! A session without I/O: requests in, events out.

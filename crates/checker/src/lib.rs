//! The facade: plans a run, runs it, writes the report.

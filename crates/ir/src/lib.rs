//! The executable model: processes as program graphs, variables, channels.

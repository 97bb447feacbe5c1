//! Plain data that crosses the worker boundary, the command line JSON and the link format.

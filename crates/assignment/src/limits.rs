//! Bounds on assignments and submissions. Reaching one is a diagnostic, never a hang.

/// Bytes of an assignment file.
pub const ASSIGNMENT_BYTES: usize = 2 << 20;
/// Files of an assignment, hidden ones and solutions included.
pub const FILES: usize = 100;
/// Tasks of an assignment.
pub const TASKS: usize = 100;
/// Items of one list of a task: properties, witnesses, models.
pub const ITEMS: usize = 100;
/// Diagnostics that are kept.
pub const DIAGNOSTICS: usize = 100;
/// Points of one task.
pub const POINTS: u32 = 10_000;
/// States of one check unless the assignment says otherwise.
pub const STATES_DEFAULT: u32 = 1_000_000;
/// Most states that an assignment can allow.
pub const STATES: u32 = 50_000_000;
/// Memory budget of one check in mebibytes unless the assignment says otherwise.
pub const MEMORY_MIB_DEFAULT: u32 = 256;
/// Largest memory budget in mebibytes.
pub const MEMORY_MIB: u32 = 4096;
/// Search steps per allowed state; a check that takes more is not conclusive.
pub const STEPS_PER_STATE: u64 = 100;
/// Search steps that every check may take.
pub const STEPS_LEAST: u64 = 1_000_000;
/// Bytes of one file of a submission.
pub const SUBMITTED_FILE_BYTES: usize = 1 << 20;
/// Bytes of all files of a submission.
pub const SUBMISSION_BYTES: usize = 4 << 20;
/// Files of a submission.
pub const SUBMITTED_FILES: usize = 100;
/// Bytes of one answer that is not a link.
pub const ANSWER_BYTES: usize = 64 << 10;
/// Characters of a field such as the student's name.
pub const FIELD_CHARACTERS: usize = 200;
/// Bytes of the hidden part once it is opened.
pub const SEALED_BYTES: usize = 4 << 20;
/// How often the translation of a formula may ask whether it should go on: once for some thousand
/// steps, so that this is some seconds.
pub const TRANSLATION_ASKS: u64 = 20;
/// States of an automaton that is built to compare languages.
pub const AUTOMATON_STATES: usize = 5_000;
/// Steps of the translation of a formula that is compared.
pub const AUTOMATON_STEPS: usize = 300_000;
/// States of an automaton that is handed in.
pub const CLAIM_STATES: usize = 60;

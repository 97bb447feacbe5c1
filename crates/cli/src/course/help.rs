//! The help of `grade` and `assignment`.

pub(crate) const GRADE: &str = "\
promenade grade ASSIGNMENT SUBMISSION... [options]

Grades submissions: every verdict is computed again, locked text is compared, runs are
replayed. Limits count states, so that verdicts are the same on every machine.

A SUBMISSION is a file (a model or a submission that the page wrote), a link, a folder or a zip
file. If a file of the assignment lies at the top of the folder or zip file, it is one
submission; else every folder and file there is one, as learning platforms export them.

  --jobs N             graded at the same time (default: one per processor)
  --report FILE.html   a report with links to counterexamples; another name is a folder with
                       one page per submission
  --csv[=FILE]         a table; without a file on the standard output, as the next three
  --json[=FILE]        everything
  --junit[=FILE]       a test suite per submission, for continuous integration
  --gradescope[=FILE]  results.json for Gradescope; one submission
  --page URL           the page that links open (default http://127.0.0.1:8080/)
  --everything         show hidden checks and all counterexamples; for teachers
  --similarity N       list pairs of submissions that share N percent (default 80)

Exit code: 0 full points for all, 1 some task is not solved, 2 some check reached a limit and
nothing failed, 3 an assignment or a submission cannot be read, 4 wrong usage, 5 a mistake of
the checker, 6 a file could not be written.
";

pub(crate) const ASSIGNMENT: &str = "\
promenade assignment check FILE              dry run: the sample solution, trivial answers
promenade assignment seal FILE [--private]   the edition for students: hidden checks sealed
                                             against casual reading, or left out
promenade assignment mutants FILE            small mistakes in the sample solution, and the
                                             checks that notice them
promenade assignment html FILE               the instructions as a page

  --out FILE           where `seal` and `html` write (default: standard output)
  --most N             most mutants per file (default 200)
  --jobs N             mutants checked at the same time

Exit code of `check`: 0 nothing to complain about, 1 an error, 2 a warning. Of `mutants`: 2 if
no check notices some mutant.
";

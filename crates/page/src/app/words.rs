//! The word that is tried on the formula in the box.

use super::{App, Shared};
use crate::word_text;
use leptos::prelude::*;
use promenade_base::arrange::Arrange;
use promenade_protocol::{FormulaOptions, Request, WordData, WordReport};

/// What is asked: formula, word, how the automaton is wanted.
type Question = (String, WordData, FormulaOptions);

/// The checker's answer about a word.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// The formula.
    pub formula: String,
    /// The word, with propositions of the formula only.
    pub word: WordData,
    /// What was found.
    pub report: WordReport,
}

/// The state of the word tester. It is cheap to copy.
#[derive(Clone, Copy)]
pub struct WordTester {
    /// It is open.
    pub open: RwSignal<bool>,
    /// The word.
    pub word: RwSignal<WordData>,
    /// Its text, as it was typed last.
    pub text: RwSignal<String>,
    /// What is wrong with that text.
    pub mistake: RwSignal<Option<String>>,
    /// The latest answer; it may be that of an earlier word.
    pub trial: RwSignal<Option<Shared<Trial>>>,
    asked: StoredValue<Option<(u32, Question)>>,
}

impl WordTester {
    pub(super) fn new() -> Self {
        let word = WordData { prefix: vec![Vec::new()], cycle: vec![Vec::new()] };
        Self {
            open: RwSignal::new(false),
            text: RwSignal::new(word_text::write(&word)),
            word: RwSignal::new(word),
            mistake: RwSignal::new(None),
            trial: RwSignal::new(None),
            asked: StoredValue::new(None),
        }
    }
}

/// The position with this number, those of the prefix first.
fn position(word: &mut WordData, at: usize) -> Option<&mut Vec<String>> {
    let before = word.prefix.len();
    if at < before { word.prefix.get_mut(at) } else { word.cycle.get_mut(at - before) }
}

impl App {
    /// The propositions of the formula in the box, if it can be read.
    pub fn propositions(&self) -> Option<Vec<String>> {
        let reading = self.formula.current().filter(|reading| reading.is_good())?;
        Some(reading.report.propositions.clone())
    }

    /// Asks about the word whenever it or the formula changes, while the tester is open.
    pub fn follow_word(&self) {
        let app = *self;
        Effect::new(move |_| {
            let word = app.words.word.get();
            if !app.words.open.get() {
                return;
            }
            let Some(reading) = app.formula.current().filter(|it| it.is_good()) else { return };
            let known = &reading.report.propositions;
            let only = |positions: &[Vec<String>]| {
                let kept = |it: &Vec<String>| {
                    it.iter().filter(|name| known.contains(name)).cloned().collect()
                };
                positions.iter().map(kept).collect::<Vec<Vec<String>>>()
            };
            let word = WordData { prefix: only(&word.prefix), cycle: only(&word.cycle) };
            app.ask_word((reading.text.clone(), word, reading.options));
        });
    }

    fn ask_word(&self, question: Question) {
        let Some(client) = self.client() else { return };
        let job = client.next_job();
        let (formula, word, options) = question.clone();
        self.words.asked.set_value(Some((job, question)));
        client.send(Request::Word { job, formula, word, options });
    }

    /// Takes an answer; only the latest question counts.
    pub(super) fn hear_word(&self, job: u32, report: WordReport) {
        let Some((_, (formula, word, _))) =
            self.words.asked.get_value().filter(|(asked, _)| *asked == job)
        else {
            return;
        };
        self.words.asked.set_value(None);
        self.words.trial.set(Some(Shared::new(Trial { formula, word, report })));
    }

    /// Asks again after the worker was replaced.
    pub(super) fn renew_word(&self) {
        if let Some((_, question)) = self.words.asked.get_value() {
            self.ask_word(question);
        }
    }

    /// Takes a word that was clicked together.
    fn put_word(&self, word: WordData) {
        self.words.mistake.set(None);
        self.words.text.set(word_text::write(&word));
        self.words.word.set(word);
    }

    /// Opens the tester with a word.
    pub fn try_word(&self, word: WordData) {
        self.put_word(word);
        self.words.open.set(true);
    }

    /// Takes a word that was typed.
    pub fn type_word(&self, text: String) {
        let known = untrack(|| self.propositions()).unwrap_or_default();
        match word_text::read(&text, &known) {
            Ok(word) => {
                self.words.mistake.set(None);
                self.words.word.set(word);
            }
            Err(mistake) => self.words.mistake.set(Some(mistake)),
        }
        self.words.text.set(text);
    }

    /// Makes a proposition hold at a position, or not.
    pub fn toggle_letter(&self, at: usize, name: &str) {
        let mut word = self.words.word.get_untracked();
        let order = untrack(|| self.propositions()).unwrap_or_default();
        if let Some(holds) = position(&mut word, at) {
            match holds.iter().position(|it| it == name) {
                Some(index) => {
                    holds.remove(index);
                }
                None => holds.push(name.to_owned()),
            }
            holds.arrange_by_key(|it| order.iter().position(|name| name == it));
            self.put_word(word);
        }
    }

    /// Appends a position to the part that repeats, or to that before it. It is like the one before.
    pub fn add_position(&self, repeated: bool) {
        let mut word = self.words.word.get_untracked();
        if word.prefix.len() + word.cycle.len() >= word_text::MOST {
            return;
        }
        let part = if repeated { &mut word.cycle } else { &mut word.prefix };
        let last = part.last().cloned().unwrap_or_default();
        part.push(last);
        self.put_word(word);
    }

    /// Takes the last position of a part away. One that repeats always stays.
    pub fn remove_position(&self, repeated: bool) {
        let mut word = self.words.word.get_untracked();
        if repeated && word.cycle.len() > 1 {
            word.cycle.pop();
        } else if !repeated {
            word.prefix.pop();
        }
        self.put_word(word);
    }
}

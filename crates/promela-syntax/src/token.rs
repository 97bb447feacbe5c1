//! Tokens, their spelling, and the table of words.

use promenade_base::Span;
use std::collections::HashMap;
use std::rc::Rc;

/// A spelling in an [`Interner`]. Keywords have fixed symbols.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Symbol(pub u32);

macro_rules! keywords {
    ($($name:ident $text:literal,)*) => {
        /// The reserved words of Promela. `in` is not one of them: it is special only in `for (..)`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub(crate) enum Keyword { $($name,)* }

        impl Keyword {
            /// All of them, in the order of their symbols.
            pub(crate) const ALL: &'static [Keyword] = &[$(Keyword::$name,)*];

            /// The spelling.
            pub(crate) fn text(self) -> &'static str {
                match self { $(Keyword::$name => $text,)* }
            }
        }
    };
}

keywords! {
    Active "active", Assert "assert", Atomic "atomic", Bit "bit", Bool "bool", Break "break",
    Byte "byte", CCode "c_code", CDecl "c_decl", CExpr "c_expr", CState "c_state",
    CTrack "c_track", DProctype "D_proctype", Do "do", Chan "chan", Else "else", Empty "empty",
    Enabled "enabled", Eval "eval", False "false", Fi "fi", For "for", Full "full",
    GetPriority "get_priority", Goto "goto", Hidden "hidden", If "if", Init "init",
    Inline "inline", Int "int", Len "len", Local "local", Ltl "ltl", Mtype "mtype",
    Nempty "nempty", Never "never", Nfull "nfull", Notrace "notrace", Np "np_", Od "od", Of "of",
    PcValue "pc_value", Pid "pid", Printf "printf", Printm "printm", Priority "priority",
    Proctype "proctype", Provided "provided", Return "return", Run "run", DStep "d_step",
    Select "select", SetPriority "set_priority", Short "short", Skip "skip", Timeout "timeout",
    Trace "trace", True "true", Show "show", Typedef "typedef", Unless "unless",
    Unsigned "unsigned", Xr "xr", Xs "xs",
}

impl Keyword {
    /// The keyword behind a symbol.
    pub(crate) fn from_symbol(symbol: Symbol) -> Option<Keyword> {
        Self::ALL.get(symbol.0 as usize).copied()
    }

    /// The keyword with this spelling.
    pub(crate) fn from_text(text: &str) -> Option<Keyword> {
        Self::ALL.iter().copied().find(|k| k.text() == text)
    }

    /// Whether it opens a top-level unit that cannot stand inside a body.
    pub(crate) fn opens_unit(self) -> bool {
        use Keyword::*;
        matches!(self, Active | Proctype | DProctype | Init | Never | Trace | Notrace | Ltl)
    }

    /// Whether it names a type.
    pub(crate) fn is_type(self) -> bool {
        use Keyword::*;
        matches!(self, Bit | Bool | Byte | Short | Int | Unsigned | Pid | Chan | Mtype)
    }
}

macro_rules! punctuators {
    ($($name:ident $text:literal,)*) => {
        /// What a token is.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum Kind {
            /// A word that is no keyword.
            Ident,
            /// A reserved word.
            Keyword(Keyword),
            /// Digits, possibly followed by letters (an error later).
            Number,
            /// `'a'` with its quotes.
            Char,
            /// `"..."` with its quotes.
            Str,
            /// A string or character constant without its end.
            Unterminated,
            /// A byte that has no meaning in Promela.
            Other,
            /// A separator that a line end implies.
            Implied,
            /// The end of the text.
            Eof,
            $(#[doc = $text] $name,)*
        }

        /// Spellings, longest first within a first byte.
        const PUNCTUATORS: &[(&str, Kind)] = &[$(($text, Kind::$name),)*];

        impl Kind {
            /// The spelling of a punctuator; empty for other kinds.
            pub(crate) fn punctuator(self) -> &'static str {
                match self { $(Kind::$name => $text,)* _ => "" }
            }
        }
    };
}

punctuators! {
    Arrow "->", Decrement "--", Increment "++", Options "::", DotDot "..", ShiftLeft "<<",
    LessEqual "<=", ShiftRight ">>", GreaterEqual ">=", Equal "==", NotEqual "!=",
    SortedSend "!!", RandomReceive "??", AndAnd "&&", OrOr "||", HashHash "##",
    LParen "(", RParen ")", LBrace "{", RBrace "}", LBracket "[", RBracket "]", Semi ";",
    Comma ",", Colon ":", Dot ".", Assign "=", Bang "!", Question "?", Less "<", Greater ">",
    Plus "+", Minus "-", Star "*", Slash "/", Percent "%", Amp "&", Bar "|", Caret "^",
    Tilde "~", At "@", Hash "#",
}

/// The longest punctuator at the start of `text`. As in SPIN, `-->` is one arrow.
pub(crate) fn punctuator_at(text: &str) -> Option<(usize, Kind)> {
    if text.starts_with("-->") {
        return Some((3, Kind::Arrow));
    }
    PUNCTUATORS.iter().find(|(p, _)| text.starts_with(p)).map(|&(p, k)| (p.len(), k))
}

/// A token with its place and what stood in front of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its spelling (for words, numbers, strings; unused for punctuators).
    pub text: Symbol,
    /// Its place in the original text.
    pub span: Span,
    /// Where it stands in the text of an inline: differs from `span` for tokens of an argument.
    pub place: Span,
    /// It is the first one on its line.
    pub line_start: bool,
    /// White space stood in front of it.
    pub space: bool,
    /// It names a macro that was being expanded when it was met, and never expands again.
    pub no_expand: bool,
}

/// One end of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Spot {
    /// See [`Token::span`].
    pub span: Span,
    /// See [`Token::place`].
    pub place: Span,
}

impl Spot {
    /// The span of a node that reaches from here to there: at the call when both ends come from
    /// one argument of an inline, else in the text of the inline.
    pub(crate) fn to(self, end: Spot) -> Span {
        if self.place == end.place { self.span.to(end.span) } else { self.place.to(end.place) }
    }
}

impl Token {
    /// Its place as one end of a node.
    pub(crate) fn spot(&self) -> Spot {
        Spot { span: self.span, place: self.place }
    }
}

/// Spellings as small numbers, the keywords first.
#[derive(Clone, Debug)]
pub(crate) struct Interner {
    numbers: HashMap<Rc<str>, Symbol>,
    texts: Vec<Rc<str>>,
}

impl Interner {
    /// A table that knows the keywords.
    pub(crate) fn new() -> Self {
        let mut table = Self { numbers: HashMap::new(), texts: Vec::new() };
        for keyword in Keyword::ALL {
            table.intern(keyword.text());
        }
        table
    }

    /// The symbol of a spelling.
    pub(crate) fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.numbers.get(text) {
            return symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        let shared: Rc<str> = text.into();
        self.texts.push(shared.clone());
        self.numbers.insert(shared, symbol);
        symbol
    }

    /// The spelling of a symbol.
    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        self.texts.get(symbol.0 as usize).map_or("", |t| t)
    }

    /// The spelling, shared.
    pub(crate) fn shared(&self, symbol: Symbol) -> Rc<str> {
        self.texts.get(symbol.0 as usize).cloned().unwrap_or_else(|| "".into())
    }

    /// How the token is written.
    pub(crate) fn spelling(&self, token: &Token) -> &str {
        match token.kind {
            Kind::Eof | Kind::Implied => "",
            kind => match kind.punctuator() {
                "" => self.text(token.text),
                text => text,
            },
        }
    }

    /// Tokens as text, with one blank where the original had white space.
    pub(crate) fn join(&self, tokens: &[Token]) -> String {
        let mut text = String::new();
        for (i, token) in tokens.iter().enumerate() {
            if i > 0 && (token.space || token.line_start) {
                text.push(' ');
            }
            text.push_str(self.spelling(token));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_have_fixed_symbols() {
        let mut table = Interner::new();
        for &keyword in Keyword::ALL {
            let symbol = table.intern(keyword.text());
            assert_eq!(Keyword::from_symbol(symbol), Some(keyword));
        }
        assert_eq!(Keyword::from_symbol(table.intern("xyz")), None);
    }

    #[test]
    fn punctuators_match_longest_first() {
        assert_eq!(punctuator_at("-->x"), Some((3, Kind::Arrow)));
        assert_eq!(punctuator_at("--x"), Some((2, Kind::Decrement)));
        assert_eq!(punctuator_at("??<"), Some((2, Kind::RandomReceive)));
        assert_eq!(punctuator_at("$"), None);
    }
}

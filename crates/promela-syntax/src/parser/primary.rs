//! Operands of expressions, references to variables, fields of receives.

use super::Parser;
use super::expression::Parsed;
use crate::ast::*;
use crate::lexer;
use crate::token::{Keyword, Kind, Spot, Token};
use promenade_base::Diagnostic;

impl Parser {
    /// An operand without prefix operators.
    pub(super) fn primary(&mut self) -> Parsed {
        let token = self.peek_token();
        match token.kind {
            Kind::LParen => self.parenthesis(),
            Kind::Ident => self.name_operand(),
            Kind::Number | Kind::Char => {
                let start = self.start();
                self.advance();
                let kind = ExprKind::Int(self.number(&token));
                self.leaf(kind, start)
            }
            Kind::Keyword(word) => self.keyword_operand(word),
            _ => self.missing_operand(),
        }
    }

    fn leaf(&mut self, kind: ExprKind, start: Spot) -> Parsed {
        self.tree(kind, start, 1)
    }

    fn tree(&mut self, kind: ExprKind, start: Spot, height: u32) -> Parsed {
        let end = self.end();
        let expr = Expr { kind, span: start.to(end) };
        self.bounded(Parsed { expr, start, end, height, probe: None })
    }

    /// An inner expression; raises `height` to its height.
    fn measured(&mut self, height: &mut u32) -> Expr {
        let expr = self.plain_expression();
        *height = (*height).max(self.inner_height);
        expr
    }

    #[inline(never)]
    fn missing_operand(&mut self) -> Parsed {
        self.expected("expected-expression", "an expression");
        self.no_expression()
    }

    /// `( e )` or `(c -> a : b)`.
    #[inline(never)]
    fn parenthesis(&mut self) -> Parsed {
        let start = self.start();
        self.advance();
        let inner = self.expression();
        if self.at(Kind::Arrow) && !self.recovering {
            return self.conditional(inner, start);
        }
        if self.expect(Kind::RParen, "behind the expression") {
            return Parsed { start, end: self.end(), ..inner };
        }
        inner
    }

    #[inline(never)]
    fn conditional(&mut self, condition: Parsed, start: Spot) -> Parsed {
        self.advance();
        if condition.probe.is_some() {
            self.say(Diagnostic::error(
                "channel-test-operand",
                condition.expr.span,
                "a channel test cannot be the condition of a conditional expression",
            ));
        }
        self.refuse_run(&condition);
        let mut height = condition.height;
        let yes = self.measured(&mut height);
        self.expect(Kind::Colon, "between the two values of the conditional expression");
        let no = self.measured(&mut height);
        self.expect(Kind::RParen, "behind the conditional expression");
        let kind = ExprKind::Conditional(Box::new(condition.expr), Box::new(yes), Box::new(no));
        self.tree(kind, start, height + 1)
    }

    /// The value of a number or character token, with its errors and warnings.
    pub(super) fn number(&mut self, token: &Token) -> i32 {
        let text = self.words.text(token.text);
        if token.kind == Kind::Char {
            return match lexer::character(text) {
                Some(value) => value,
                None => {
                    let hint = "Escapes are `\\n`, `\\r`, `\\t`, `\\f`; other characters stand for themselves.";
                    self.say(
                        Diagnostic::error(
                            "bad-character",
                            token.span,
                            "a character constant holds exactly one character",
                        )
                        .with_hint(hint),
                    );
                    0
                }
            };
        }
        match lexer::number(text) {
            Some((value, false)) => value,
            Some((value, true)) => {
                let message = format!("this number does not fit 32 bits and is read as {value}");
                self.say(Diagnostic::warning("number-too-large", token.span, message));
                value
            }
            None => {
                let hint = if text.starts_with("0x") || text.starts_with("0X") {
                    "Numbers are decimal only."
                } else {
                    "Put a blank or an operator between the number and the name."
                };
                let message = format!("`{}` is not a number", text);
                self.report(Diagnostic::error("bad-number", token.span, message).with_hint(hint));
                0
            }
        }
    }

    /// A number behind `priority` or `:`.
    pub(super) fn constant(&mut self, what: &str) -> Expr {
        let token = self.peek_token();
        let start = self.start();
        let kind = match token.kind {
            Kind::Number | Kind::Char => {
                self.advance();
                ExprKind::Int(self.number(&token))
            }
            Kind::Keyword(word @ (Keyword::True | Keyword::Skip | Keyword::False)) => {
                self.advance();
                ExprKind::Bool(word != Keyword::False)
            }
            _ => {
                self.expected("expected-number", what);
                return Expr { kind: ExprKind::Error, span: token.span };
            }
        };
        Expr { kind, span: self.span_from(start) }
    }

    #[inline(never)]
    fn keyword_operand(&mut self, word: Keyword) -> Parsed {
        let start = self.start();
        match word {
            Keyword::True | Keyword::Skip | Keyword::False => {
                self.advance();
                self.leaf(ExprKind::Bool(word != Keyword::False), start)
            }
            Keyword::Timeout => {
                self.advance();
                self.leaf(ExprKind::Timeout, start)
            }
            Keyword::Np => {
                self.advance();
                self.leaf(ExprKind::NonProgress, start)
            }
            Keyword::Run => self.run(start),
            Keyword::Len => match self.channel_argument() {
                Some(channel) => {
                    let height = self.inner_height + 1;
                    self.tree(ExprKind::Len(channel), start, height)
                }
                None => self.no_expression(),
            },
            Keyword::Full | Keyword::Empty | Keyword::Nfull | Keyword::Nempty => {
                let test = match word {
                    Keyword::Full => ChannelTest::Full,
                    Keyword::Empty => ChannelTest::Empty,
                    Keyword::Nfull => ChannelTest::NotFull,
                    _ => ChannelTest::NotEmpty,
                };
                let Some(channel) = self.channel_argument() else { return self.no_expression() };
                let height = self.inner_height + 1;
                let mut made = self.tree(ExprKind::ChannelTest(test, channel), start, height);
                made.probe = Some(made.expr.span);
                made
            }
            Keyword::Enabled | Keyword::PcValue | Keyword::GetPriority => {
                self.advance();
                let context = format!("behind `{}`", word.text());
                if !self.expect(Kind::LParen, &context) {
                    return self.no_expression();
                }
                let mut height = 0;
                let process = Box::new(self.measured(&mut height));
                self.expect(Kind::RParen, "behind the process number");
                let kind = match word {
                    Keyword::Enabled => ExprKind::Enabled(process),
                    Keyword::PcValue => ExprKind::PcValue(process),
                    _ => ExprKind::GetPriority(process),
                };
                self.tree(kind, start, height + 1)
            }
            Keyword::CExpr => {
                let code = self.embedded(word);
                self.leaf(ExprKind::CExpr(code), start)
            }
            _ => self.missing_operand(),
        }
    }

    /// `len` or a channel test with its argument.
    fn channel_argument(&mut self) -> Option<VarRef> {
        let word = self.advance();
        let context = format!("behind {}", self.describe(&word));
        if !self.expect(Kind::LParen, &context) {
            return None;
        }
        let channel = self.reference("the name of a channel")?;
        self.expect(Kind::RParen, "behind the channel");
        Some(channel)
    }

    /// Behind the name of an inline or process a line end is no separator.
    pub(super) fn skip_line_end_before_parenthesis(&mut self) {
        if self.at(Kind::Implied) && self.ahead(0) == Kind::LParen {
            self.advance();
        }
    }

    /// `run P(args) priority n`.
    fn run(&mut self, start: Spot) -> Parsed {
        self.advance();
        if self.in_formula {
            self.say(Diagnostic::error(
                "misplaced-run",
                start.span,
                "`run` cannot stand in a formula",
            ));
        }
        let Some(name) = self.name("the name of a process type behind `run`") else {
            return self.no_expression();
        };
        let mut arguments = Vec::new();
        let mut height = 0;
        self.skip_line_end_before_parenthesis();
        if self.expect(Kind::LParen, "behind the name of the process type") {
            while !self.recovering && (!self.at(Kind::RParen) || !arguments.is_empty()) {
                arguments.push(self.measured(&mut height));
                if !self.eat(Kind::Comma) {
                    break;
                }
            }
            self.expect(Kind::RParen, "behind the arguments of `run`");
        }
        let mut priority = None;
        if self.at_keyword(Keyword::Priority) {
            self.advance();
            priority = Some(Box::new(self.constant("a number behind `priority`")));
        }
        self.tree(ExprKind::Run { name, arguments, priority }, start, height + 1)
    }

    /// An operand that starts with a name.
    #[inline(never)]
    fn name_operand(&mut self) -> Parsed {
        let start = self.start();
        let token = self.peek_token();
        if self.c_function_call() {
            return self.leaf(ExprKind::Error, start);
        }
        let known = if self.in_formula { &self.all_proctypes } else { &self.proctypes };
        let process = known.contains(&token.text);
        if self.ahead(1) == Kind::At {
            self.advance();
            return self.remote_label(&token, None, start, 0);
        }
        if process && self.ahead(1) == Kind::Colon {
            self.advance();
            return self.remote_variable(&token, None, start, 0);
        }
        if self.inlines.contains_key(&token.text) {
            return self.inline_as_operand(&token);
        }
        let Some(mut variable) = self.reference("a variable") else { return self.no_expression() };
        let height = self.inner_height;
        let is_single = variable.segments.len() == 1;
        if is_single && (self.at(Kind::At) || (process && self.at(Kind::Colon))) {
            let index = variable.segments.pop().and_then(|s| s.index);
            return if self.at(Kind::At) {
                self.remote_label(&token, index, start, height)
            } else {
                self.remote_variable(&token, index, start, height)
            };
        }
        let random = self.at(Kind::RandomReceive);
        if (random || self.at(Kind::Question)) && self.ahead(1) == Kind::LBracket {
            self.advance();
            self.advance();
            let mut arguments = Vec::new();
            self.receive_arguments(&mut arguments);
            self.expect(Kind::RBracket, "behind the message");
            let height = height.max(self.inner_height) + 1;
            return self.tree(
                ExprKind::Poll { channel: variable, random, arguments },
                start,
                height,
            );
        }
        self.tree(ExprKind::Var(variable), start, height + 1)
    }

    /// The name of an inline where a value is wanted.
    fn inline_as_operand(&mut self, token: &Token) -> Parsed {
        let text = self.words.text(token.text);
        let call = self.ahead(1) == Kind::LParen;
        let (message, hint) = if call {
            (
                format!("inline `{text}` cannot be called inside an expression"),
                "Assign its result to a variable first: `x = f(..)`.".to_string(),
            )
        } else {
            (
                format!("`{text}` is an inline, not a variable"),
                format!("Call it as a statement: `{text}(..)`."),
            )
        };
        let diagnostic = Diagnostic::error("inline-in-expression", token.span, message);
        self.report(diagnostic.with_hint(hint));
        self.no_expression()
    }

    /// Behind `P` or `P[i]`, at `@`.
    fn remote_label(
        &mut self,
        process: &Token,
        index: Option<Box<Expr>>,
        start: Spot,
        height: u32,
    ) -> Parsed {
        self.advance();
        let process = self.name_of(process);
        let Some(label) = self.name("a label behind `@`") else { return self.no_expression() };
        self.tree(ExprKind::RemoteLabel { process, index, label }, start, height + 1)
    }

    /// Behind `P` or `P[i]`, at `:`.
    fn remote_variable(
        &mut self,
        process: &Token,
        index: Option<Box<Expr>>,
        start: Spot,
        height: u32,
    ) -> Parsed {
        self.advance();
        let process = self.name_of(process);
        let Some(variable) = self.reference("a variable of the process behind `:`") else {
            return self.no_expression();
        };
        let height = height.max(self.inner_height) + 1;
        self.tree(ExprKind::RemoteVar { process, index, variable }, start, height)
    }

    /// `a.b[i].c`; leaves the height of its indices in `inner_height`.
    pub(super) fn reference(&mut self, what: &str) -> Option<VarRef> {
        let start = self.start();
        let mut height = 0;
        let mut segments = Vec::new();
        loop {
            let what = if segments.is_empty() { what } else { "the name of a field behind `.`" };
            let name = self.name(what)?;
            let mut index = None;
            if self.at(Kind::LBracket) {
                self.advance();
                index = Some(Box::new(self.measured(&mut height)));
                self.expect(Kind::RBracket, "behind the index");
                if self.at(Kind::LBracket) && !self.recovering {
                    self.report(
                        Diagnostic::error(
                            "array-dimensions",
                            self.peek_token().span,
                            "arrays have one dimension",
                        )
                        .with_hint("Use an array of structures that contain an array."),
                    );
                }
            }
            segments.push(Segment { name, index });
            if segments.len() > self.bounds.nesting {
                self.stop(
                    "nesting-limit",
                    start.span,
                    "this reference is too long",
                    "Structures nested this deep are not supported.",
                );
            }
            if self.recovering || !self.eat(Kind::Dot) {
                break;
            }
        }
        self.inner_height = height;
        Some(VarRef { segments, span: self.span_from(start) })
    }

    /// Fields of a receive or poll: `a, b`, `a(b, c)`, `(a, b)`.
    pub(super) fn receive_arguments(&mut self, out: &mut Vec<ReceiveArgument>) {
        let mut open = 0usize;
        let mut height = 0;
        loop {
            while self.at(Kind::LParen) {
                self.advance();
                open += 1;
            }
            self.inner_height = 0;
            match self.receive_argument() {
                Some(argument) => {
                    height = height.max(self.inner_height);
                    out.push(argument);
                }
                None => return,
            }
            if self.recovering {
                return;
            }
            match self.peek() {
                Kind::Comma => {
                    self.advance();
                }
                Kind::LParen => {}
                _ => break,
            }
        }
        while open > 0 && self.expect(Kind::RParen, "behind the message") {
            open -= 1;
        }
        self.inner_height = height;
    }

    fn receive_argument(&mut self) -> Option<ReceiveArgument> {
        let start = self.start();
        let token = self.peek_token();
        match token.kind {
            Kind::Keyword(Keyword::Eval) => {
                self.advance();
                if !self.expect(Kind::LParen, "behind `eval`") {
                    return None;
                }
                let expr = self.plain_expression();
                self.expect(Kind::RParen, "behind the argument of `eval`");
                Some(ReceiveArgument::Eval(expr, self.span_from(start)))
            }
            Kind::Minus => {
                self.advance();
                let value = self.constant("a number behind `-`");
                let value = match value.kind {
                    ExprKind::Int(n) => -i64::from(n),
                    ExprKind::Bool(b) => -i64::from(b),
                    _ => return None,
                };
                Some(ReceiveArgument::Constant(value, self.span_from(start)))
            }
            Kind::Number
            | Kind::Char
            | Kind::Keyword(Keyword::True | Keyword::False | Keyword::Skip) => {
                let value = match self.constant("a number").kind {
                    ExprKind::Int(n) => i64::from(n),
                    ExprKind::Bool(b) => i64::from(b),
                    _ => return None,
                };
                self.only_a_field(start)?;
                Some(ReceiveArgument::Constant(value, self.span_from(start)))
            }
            Kind::Ident => {
                let variable = self.reference("a variable")?;
                self.only_a_field(start)?;
                Some(ReceiveArgument::Variable(variable))
            }
            _ => {
                self.expected("expected-message-field", "a variable, a constant or `eval(..)`");
                None
            }
        }
    }

    /// A receive matches values or fills variables; expressions need `eval`.
    fn only_a_field(&mut self, start: Spot) -> Option<()> {
        let kind = self.peek();
        let operator = super::expression::binary_operator(kind).is_some();
        if !operator || kind == Kind::Greater || self.recovering {
            return Some(());
        }
        self.report(
            Diagnostic::error(
                "expression-in-receive",
                self.span_from(start),
                "a field of a receive is a variable or a constant, not an expression",
            )
            .with_hint("To match a computed value, write `eval(..)`."),
        );
        None
    }
}

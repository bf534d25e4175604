//! Patterns: how a number is written.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{DocumentNumber, SeriesCode};

/// Most characters of a number: `NumSerieFactura` in the records of the tax office.
const MOST: usize = 60;
/// Most digits of a sequence, and of the code of a series.
const WIDEST: usize = 10;

/// How the numbers of a series are written: `{series}{yyyy}-{seq:5}`.
///
/// `{series}` is the code of the series, `{yyyy}` and `{yy}` the year of issue, and `{seq:N}` the sequence with zeros in
/// front up to `N` digits, 1 to 10. The sequence is there once; the rest is letters, digits and `/ - _ .`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(Vec<Token>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Literal(String),
    Series,
    Year,
    ShortYear,
    Sequence(usize),
}

/// Why a text is no pattern.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum PatternError {
    /// A brace has no other, or what is between them is no token.
    #[error("expected the tokens {{series}}, {{yyyy}}, {{yy}} and {{seq:N}} with N from 1 to 10")]
    Token,
    /// A character that numbers do not have.
    #[error("expected letters, digits and / - _ . beside the tokens")]
    Character,
    /// The sequence is missing or there twice.
    #[error("expected {{seq:N}} once")]
    Sequence,
    /// A number could have more characters than there may be.
    #[error("a number could have more than {MOST} characters")]
    TooLong,
}

impl Default for Pattern {
    /// `{series}{yyyy}-{seq:5}`
    fn default() -> Self {
        Self(vec![Token::Series, Token::Year, Token::Literal("-".to_owned()), Token::Sequence(5)])
    }
}

impl Pattern {
    /// Whether the year of issue is in the number.
    #[must_use]
    pub fn names_year(&self) -> bool {
        self.0.iter().any(|token| matches!(token, Token::Year | Token::ShortYear))
    }

    /// The number of this sequence in this year.
    #[must_use]
    pub fn render(&self, code: &SeriesCode, year: i32, sequence: u32) -> DocumentNumber {
        let text = self.0.iter().map(|token| match token {
            Token::Literal(text) => text.clone(),
            Token::Series => code.to_string(),
            Token::Year => format!("{year:04}"),
            Token::ShortYear => format!("{:02}", year.rem_euclid(100)),
            Token::Sequence(width) => format!("{sequence:0>width$}"),
        });
        DocumentNumber::from_stored(text.collect())
    }

    fn judged(self) -> Result<Self, PatternError> {
        let sequences = self.0.iter().filter(|token| matches!(token, Token::Sequence(_)));
        if sequences.count() != 1 {
            return Err(PatternError::Sequence);
        }
        let most = self.0.iter().map(|token| match token {
            Token::Literal(text) => text.len(),
            Token::Series | Token::Sequence(_) => WIDEST,
            Token::Year => 4,
            Token::ShortYear => 2,
        });
        if most.sum::<usize>() > MOST { Err(PatternError::TooLong) } else { Ok(self) }
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let mut tokens = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (literal, braced) = rest.split_at(rest.find(['{', '}']).unwrap_or(rest.len()));
            if !literal.is_empty() {
                tokens.push(Token::literal(literal)?);
            }
            rest = braced;
            if let Some(inner) = braced.strip_prefix('{') {
                let (name, after) = inner.split_once('}').ok_or(PatternError::Token)?;
                tokens.push(Token::named(name)?);
                rest = after;
            } else if !braced.is_empty() {
                return Err(PatternError::Token);
            }
        }
        Self(tokens).judged()
    }
}

impl Token {
    fn literal(text: &str) -> Result<Self, PatternError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.');
        let holds = text.bytes().all(plain);
        holds.then(|| Self::Literal(text.to_owned())).ok_or(PatternError::Character)
    }

    fn named(name: &str) -> Result<Self, PatternError> {
        match name {
            "series" => Ok(Self::Series),
            "yyyy" => Ok(Self::Year),
            "yy" => Ok(Self::ShortYear),
            other => {
                let digits = other.strip_prefix("seq:").filter(|width| !width.starts_with(['0', '+']));
                let width = digits.and_then(|width| width.parse().ok()).filter(|width| *width <= WIDEST);
                width.map(Self::Sequence).ok_or(PatternError::Token)
            }
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|token| match token {
            Token::Literal(text) => f.write_str(text),
            Token::Series => f.write_str("{series}"),
            Token::Year => f.write_str("{yyyy}"),
            Token::ShortYear => f.write_str("{yy}"),
            Token::Sequence(width) => write!(f, "{{seq:{width}}}"),
        })
    }
}

//! What the texts of a movement tell.

use std::collections::BTreeSet;

use crate::bank::movement::BankMovement;
use crate::invoicing::compact_number;
use crate::party::{TaxId, TaxIdKind, search_key};

/// A number with fewer letters and digits is in many texts.
const SHORTEST_NUMBER: usize = 4;
/// A number may be made of so many words, as `F 2025 / 42` is.
const MOST_WORDS: usize = 4;
/// Letters and digits of a number at most.
const LONGEST_NUMBER: usize = 60;
/// What may be numbers in the texts of a movement, at most: those that stand first.
const MOST_NUMBERS: usize = 200;
/// Tax ids in the texts of a movement at most.
const MOST_TAX_IDS: usize = 5;
/// How alike two names are that are taken for one, from 0 to 1.
const ALIKE: f64 = 0.9;
/// What may stand between the letters and digits of a number.
const SEPARATORS: [char; 5] = ['-', '/', '.', ' ', '_'];
/// Words that say what kind of company one is, not which.
const LEGAL_FORMS: [&str; 12] =
    ["sl", "slu", "sa", "sau", "slp", "sll", "cb", "sc", "scp", "ltd", "gmbh", "inc"];

/// Words by which banks tell that the tax agency was paid, or paid.
const TAXES: [&str; 7] =
    ["aeat", "hacienda", "impuesto", "impuestos", "tributaria", "tributario", "tributos"];
/// Words before the number of a model.
const MODEL: [&str; 3] = ["mod", "modelo", "m"];

/// The texts of a movement: lower case, without accents.
pub(super) struct Texts {
    all: String,
    /// Every number that stands in them.
    numbers: BTreeSet<String>,
    other_side: Option<String>,
}

impl Texts {
    pub(super) fn of(movement: &BankMovement) -> Self {
        let texts = std::iter::once(&movement.description).chain(&movement.references);
        let texts: Vec<_> = texts.chain(&movement.counterparty_name).map(|text| search_key(text)).collect();
        let all = texts.join("\n");
        let numbers = words(&all, usize::MAX).filter(|word| is_number(word)).collect();
        Self { all, numbers, other_side: movement.counterparty_name.as_deref().map(bare) }
    }

    /// The name of the other side that contacts are found by.
    pub(super) fn other_side(&self) -> Option<&str> {
        self.other_side.as_deref().filter(|name| name.chars().count() >= SHORTEST_NUMBER)
    }

    /// What may be numbers of documents, in their compact form: those of a few words that stand first.
    pub(super) fn numbers(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let numbers =
            words(&self.all, MOST_WORDS).filter(|word| is_number(word) && seen.insert(word.clone()));
        numbers.take(MOST_NUMBERS).collect()
    }

    /// The Spanish tax ids in them.
    pub(super) fn tax_ids(&self) -> Vec<TaxId> {
        let kinds = [TaxIdKind::Nif, TaxIdKind::Nie];
        let tax_id = |word: String| kinds.iter().find_map(|kind| TaxId::parse(&word, *kind).ok());
        let mut tax_ids: Vec<TaxId> = Vec::new();
        for tax_id in words(&self.all, MOST_WORDS).filter_map(tax_id) {
            if tax_ids.len() < MOST_TAX_IDS && !tax_ids.contains(&tax_id) {
                tax_ids.push(tax_id);
            }
        }
        tax_ids
    }

    /// Whether a number stands in them as a whole, whatever is between its letters and digits.
    pub(super) fn name_number(&self, number: &str) -> bool {
        self.numbers.contains(&compact_number(number))
    }

    /// Whether they tell of the tax agency, of taxes, or of this model.
    pub(super) fn tell_of_taxes(&self, model: &str) -> bool {
        let words = self.all.split(|letter: char| !letter.is_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let is_model = |before: &str, number: &str| MODEL.contains(&before) && number == model;
        words.iter().any(|word| {
            let joined = word.strip_suffix(model).is_some_and(|before| is_model(before, model));
            joined || TAXES.contains(word)
        }) || words.windows(2).any(|two| matches!(two, [before, number] if is_model(before, number)))
            || words.windows(4).any(|four| four == ["a", "e", "a", "t"])
    }

    /// Whether the name of the other side, or the text where the bank tells none, is like this one.
    pub(super) fn are_like(&self, name: &str) -> bool {
        let name = bare(name);
        if name.chars().count() < SHORTEST_NUMBER {
            return false;
        }
        match &self.other_side {
            Some(other) => strsim::jaro_winkler(other, &name) >= ALIKE,
            None => self.all.contains(&name),
        }
    }
}

/// Whether a compact text is long enough for a number, and has a digit.
fn is_number(word: &str) -> bool {
    word.chars().count() >= SHORTEST_NUMBER && word.chars().any(|letter| letter.is_ascii_digit())
}

/// Words that stand together, up to `most` of them, each time without what is between them.
fn words(text: &str, most: usize) -> impl Iterator<Item = String> {
    let apart = |letter: char| !letter.is_alphanumeric() && !SEPARATORS.contains(&letter);
    text.split(apart).flat_map(move |together| {
        let words: Vec<&str> = together
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        let from = |at: usize| {
            let mut joined = String::new();
            let longer = words.get(at..).unwrap_or_default().iter().take(most).map(|word| {
                joined.push_str(word);
                joined.clone()
            });
            longer.take_while(|joined| joined.chars().count() <= LONGEST_NUMBER).collect::<Vec<_>>()
        };
        (0..words.len()).flat_map(from).collect::<Vec<_>>()
    })
}

/// A name without what kind of company it is, and without points.
fn bare(name: &str) -> String {
    let key = search_key(name).replace(['.', ','], "");
    let words = key.split_whitespace().filter(|word| !LEGAL_FORMS.contains(word));
    words.collect::<Vec<_>>().join(" ")
}

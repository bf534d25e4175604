//! Numbers and dates as people read them.

use rust_decimal::Decimal;
use svc_core::money::Amount;
use time::Date;

use crate::model::Language;

/// The marks of a language.
#[derive(Clone, Copy)]
pub(super) struct Format {
    language: Language,
    thousands: char,
    point: char,
}

impl Format {
    pub(super) const fn of(language: Language) -> Self {
        match language {
            Language::Spanish => Self { language, thousands: '.', point: ',' },
            Language::English => Self { language, thousands: ',', point: '.' },
        }
    }

    /// An amount without its currency: `1.234,50`.
    pub(super) fn amount(self, amount: Amount) -> String {
        self.marked(&amount.to_string())
    }

    /// An amount with its currency: `1.234,50 EUR`, a euro with its sign.
    pub(super) fn money(self, amount: Amount) -> String {
        let code = amount.currency().code();
        format!("{} {}", self.amount(amount), if code == "EUR" { "€" } else { code })
    }

    /// A number as it is.
    pub(super) fn number(self, number: Decimal) -> String {
        self.marked(&number.normalize().to_string())
    }

    /// A price with two digits after the point at least.
    pub(super) fn price(self, price: Decimal) -> String {
        let price = price.normalize();
        if price.scale() < 2 { self.marked(&format!("{price:.2}")) } else { self.marked(&price.to_string()) }
    }

    /// A percentage: `21 %`.
    pub(super) fn percent(self, percent: Decimal) -> String {
        format!("{} %", self.number(percent))
    }

    /// A day: `14/03/2025`, `2025-03-14`.
    pub(super) fn date(self, date: Date) -> String {
        match self.language {
            Language::Spanish => format!("{:02}/{:02}/{}", date.day(), u8::from(date.month()), date.year()),
            Language::English => date.to_string(),
        }
    }

    fn marked(self, plain: &str) -> String {
        let (sign, digits) = plain.strip_prefix('-').map_or(("", plain), |digits| ("-", digits));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let mut text = sign.to_owned();
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at) % 3 == 0 {
                text.push(self.thousands);
            }
            text.push(digit);
        }
        if !fraction.is_empty() {
            text.push(self.point);
            text.push_str(fraction);
        }
        text
    }
}

/// A number of an account in groups of four.
pub(super) fn grouped(account: &str) -> String {
    let mut text = String::new();
    for (at, letter) in account.chars().enumerate() {
        if at > 0 && at % 4 == 0 {
            text.push(' ');
        }
        text.push(letter);
    }
    text
}

#[cfg(test)]
mod tests {
    use svc_core::money::Currency;

    use super::*;

    #[test]
    fn each_language_has_its_marks() {
        let amount = Amount::from_minor(-123_456_789, Currency::EUR).expect("in range");
        assert_eq!(Format::of(Language::Spanish).money(amount), "-1.234.567,89 €");
        assert_eq!(Format::of(Language::English).amount(amount), "-1,234,567.89");
        let price = Decimal::new(855, 1);
        assert_eq!(Format::of(Language::Spanish).price(price), "85,50");
        assert_eq!(Format::of(Language::Spanish).price(Decimal::new(19_999, 3)), "19,999");
        assert_eq!(grouped("ES9121"), "ES91 21");
    }
}

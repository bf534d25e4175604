//! Texts of a file as what they stand for.

use std::fmt::Display;
use std::str::FromStr;

use rust_decimal::Decimal;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use time::Date;
use time::macros::format_description;

use crate::period::Period;
use crate::value::hundredths;

pub(super) fn parsed<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

fn all<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| text.parse().map_err(D::Error::custom)).collect()
}

pub(super) fn periods<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Period>, D::Error> {
    all(deserializer)
}

pub(super) fn decimals<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Decimal>, D::Error> {
    all(deserializer)
}

pub(super) fn decimal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
    parsed(deserializer)
}

pub(super) fn date<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
    let text = String::deserialize(deserializer)?;
    Date::parse(&text, format_description!("[year]-[month]-[day]")).map_err(D::Error::custom)
}

pub(super) fn optional_date<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Date>, D::Error> {
    date(deserializer).map(Some)
}

/// A decimal as hundredths: cents of an amount.
pub(super) fn steps<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i128, D::Error> {
    hundredths(decimal(deserializer)?).ok_or_else(|| D::Error::custom("expected two decimals at most"))
}

pub(super) fn optional_steps<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i128>, D::Error> {
    steps(deserializer).map(Some)
}

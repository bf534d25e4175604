//! Notes that carry what EN 16931 has no term for.
//!
//! A note begins with its subject code between `#` (BT-21; code list UNTDID 4451): `REG` for regulatory information,
//! `TXD` for tax declarations. Those of this module read back as they were written; all others are texts.

use std::str::FromStr;

use rust_decimal::Decimal;
use svc_core::money::{Amount, Currency};

use crate::model::{Correction, CorrectionMethod, CorrectionReason, Invoice, Kind, Withholding};

const SIMPLIFIED: &str = "#REG#Factura simplificada";
const CORRECTIVE: &str = "#REG#Factura rectificativa";
const WITHHELD: &str = "#TXD#Retención IRPF ";
const EXCHANGE: &str = "#TXD#Tipo de cambio: 1 ";
const BY_DIFFERENCES: &str = " por diferencias";
const BY_SUBSTITUTION: &str = " por sustitución";

/// The notes of a document, its own texts last.
pub(crate) fn written(invoice: &Invoice) -> Vec<String> {
    let mut notes = Vec::new();
    match &invoice.kind {
        Kind::Simplified => notes.push(SIMPLIFIED.to_owned()),
        Kind::Corrective(correction) => notes.push(corrective(correction)),
        Kind::Invoice | Kind::Proforma | Kind::Quote => {}
    }
    for Withholding { rate, base, amount } in &invoice.withholdings {
        notes.push(format!("{WITHHELD}{} % sobre {base}: {amount}", rate.normalize()));
    }
    if let Some(base) = invoice.base.filter(|base| !base.rate.is_zero()) {
        notes.push(format!("{EXCHANGE}{} = {} {}", invoice.currency, base.rate.normalize(), base.currency));
    }
    notes.extend(invoice.notes.iter().cloned());
    notes
}

fn corrective(correction: &Correction) -> String {
    let reason = correction.reason.map(|reason| format!(" {}", reason.code())).unwrap_or_default();
    let method = match correction.method {
        CorrectionMethod::Differences => BY_DIFFERENCES,
        CorrectionMethod::Substitution => BY_SUBSTITUTION,
    };
    let text = if correction.text.is_empty() { String::new() } else { format!(": {}", correction.text) };
    format!("{CORRECTIVE}{reason}{method}{text}")
}

/// What a note tells.
pub(crate) enum Note {
    Simplified,
    Corrective { method: CorrectionMethod, reason: Option<CorrectionReason>, text: String },
    Withheld(Withholding),
    Exchange { rate: Decimal, currency: Currency },
    Text(String),
}

/// Understands a note of a document in `currency`.
pub(crate) fn understood(note: &str, currency: Currency) -> Note {
    let known = if note == SIMPLIFIED {
        Some(Note::Simplified)
    } else if let Some(rest) = note.strip_prefix(CORRECTIVE) {
        read_corrective(rest)
    } else if let Some(rest) = note.strip_prefix(WITHHELD) {
        read_withheld(rest, currency)
    } else if let Some(rest) = note.strip_prefix(EXCHANGE) {
        read_exchange(rest)
    } else {
        None
    };
    known.unwrap_or_else(|| Note::Text(note.to_owned()))
}

fn read_corrective(rest: &str) -> Option<Note> {
    let (what, text) = rest.split_once(": ").unwrap_or((rest, ""));
    let (reason, method) = if let Some(reason) = what.strip_suffix(BY_DIFFERENCES) {
        (reason, CorrectionMethod::Differences)
    } else {
        (what.strip_suffix(BY_SUBSTITUTION)?, CorrectionMethod::Substitution)
    };
    let reason = CorrectionReason::from_code(reason.trim());
    Some(Note::Corrective { method, reason, text: text.to_owned() })
}

fn read_withheld(rest: &str, currency: Currency) -> Option<Note> {
    let (rate, rest) = rest.split_once(" % sobre ")?;
    let (base, amount) = rest.split_once(": ")?;
    let base = Amount::parse(base, currency).ok()?;
    let amount = Amount::parse(amount, currency).ok()?;
    Some(Note::Withheld(Withholding { rate: rate.parse().ok()?, base, amount }))
}

fn read_exchange(rest: &str) -> Option<Note> {
    let (_, rest) = rest.split_once(" = ")?;
    let (rate, currency) = rest.split_once(' ')?;
    Some(Note::Exchange { rate: rate.parse().ok()?, currency: Currency::from_str(currency).ok()? })
}

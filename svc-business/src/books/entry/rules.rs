//! What an entry must be to be kept, and what more to be posted.

use std::collections::BTreeMap;

use svc_core::error::Validator;

use super::{Entry, EntryKind, Line, TagKind};
use crate::books::account::{AccountCode, TaxRole};

/// Most lines of an entry that a client writes. An entry that closes a year has as many as there are balances.
const MOST_LINES: usize = 1_000;
/// Most characters of a description.
const MOST_TEXT: usize = 500;

/// What is known about an account that an entry names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownAccount {
    /// Whether it takes entries: it has full length.
    pub postable: bool,
    /// Whether it is active and not archived.
    pub active: bool,
    /// The tax that it counts.
    pub tax_role: Option<TaxRole>,
    /// Whether contacts share it, so that a line must say which one.
    pub shared: bool,
}

/// The accounts that an entry names, as far as they exist.
pub type KnownAccounts = BTreeMap<AccountCode, KnownAccount>;

/// Judges what a draft must be: each line by itself, not the whole, which may be unbalanced yet.
///
/// Findings name the member: `lines[3].accountCode`, `lines[3].amountCurrency`, `taxTags[0].deductibleQuota`.
pub fn judge_draft(validator: &mut Validator, entry: &Entry, accounts: &KnownAccounts) {
    within(validator, "description", &entry.description);
    let written = entry.kind == EntryKind::Manual;
    let message = format!("must have at most {MOST_LINES} lines");
    validator.require(!written || entry.lines.len() <= MOST_LINES, "lines", "too_many", message);
    for (at, line) in entry.lines.iter().enumerate() {
        let field = format!("lines[{at}]");
        judge_account(validator, &field, entry, line, accounts);
        judge_amounts(validator, &field, entry, line);
        if let Some(description) = &line.description {
            within(validator, &format!("{field}.description"), description);
        }
    }
    judge_tag_amounts(validator, entry);
}

/// Judges the whole as it is to be posted: two lines or more, and both sides the same.
pub(super) fn judge_balance(validator: &mut Validator, entry: &Entry) {
    if !validator.require(entry.lines.len() >= 2, "lines", "too_few", "must have at least two lines") {
        return;
    }
    let totals = entry.totals().and_then(|totals| {
        totals.debit.stated()?;
        totals.credit.stated()?;
        Ok((totals, totals.difference()?))
    });
    if let Some((totals, difference)) = validator.take("lines", "out_of_range", totals) {
        let message = format!(
            "debit is {} and credit is {}, which differ by {difference}",
            totals.debit, totals.credit
        );
        validator.require(totals.is_balanced(), "lines", "entry_unbalanced", message);
    }
}

fn within(validator: &mut Validator, field: &str, text: &str) {
    let message = format!("must have at most {MOST_TEXT} characters");
    validator.require(text.chars().count() <= MOST_TEXT, field, "too_long", message);
}

fn judge_account(
    validator: &mut Validator,
    field: &str,
    entry: &Entry,
    line: &Line,
    accounts: &KnownAccounts,
) {
    let code = line.account;
    let of_account = format!("{field}.accountCode");
    let Some(account) = accounts.get(&code) else {
        let message = format!("the books have no account {code}");
        return validator.fail(of_account, "unknown_reference", message);
    };
    let message = format!("{code} is a heading: entries go to the accounts below it");
    if validator.require(account.postable, &of_account, "account_not_postable", message) {
        let message = format!("{code} is archived");
        validator.require(account.active, &of_account, "account_archived", message);
    }
    // A balance may have grown before contacts shared the account, and a simplified invoice names no customer.
    let excused = entry.kind.carries_balances() || entry.source.is_some();
    let named = line.contact.is_some() || !account.shared || excused;
    let message = format!("contacts share {code}: say which one");
    validator.require(named, &format!("{field}.contactId"), "required", message);
}

fn judge_amounts(validator: &mut Validator, field: &str, entry: &Entry, line: &Line) {
    let (base, currency) = (entry.base_currency, entry.currency);
    let side = if line.movement.signed().minor() > 0 { "debit" } else { "credit" };
    let message = format!("must be in {base}, the currency of the books");
    let in_base = line.movement.currency() == base;
    validator.require(in_base, &format!("{field}.{side}"), "invalid_currency", message);
    let Some(foreign) = line.amount_currency else { return };
    let of_foreign = format!("{field}.amountCurrency");
    let message = format!("must be in {currency}, the currency of the entry");
    validator.require(foreign.currency() == currency, &of_foreign, "invalid_currency", message);
    let turned = foreign.minor().signum() == -line.movement.signed().minor().signum();
    let message = "must be more than zero for a debit and less for a credit";
    validator.require(!turned, &of_foreign, "out_of_range", message);
}

fn judge_tag_amounts(validator: &mut Validator, entry: &Entry) {
    let base = entry.base_currency;
    for (at, tag) in entry.tax_tags.iter().enumerate() {
        let field = format!("taxTags[{at}]");
        let message = format!("must be in {base}, the currency of the books");
        for (member, amount) in [("base", tag.base), ("quota", tag.quota)] {
            let in_base = amount.currency() == base;
            validator.require(in_base, &format!("{field}.{member}"), "invalid_currency", message.clone());
        }
        let Some(deductible) = tag.deductible_quota else { continue };
        let field = format!("{field}.deductibleQuota");
        let message = "only VAT that was paid can be deducted";
        validator.require(tag.kind == TagKind::VatInput, &field, "not_allowed", message);
        // The quota of a rectification is below zero, and so is its part.
        let (part, whole) = (deductible.minor(), tag.quota.minor());
        let within = (whole.min(0)..=whole.max(0)).contains(&part);
        let holds = within && deductible.currency() == tag.quota.currency();
        validator.require(holds, &field, "out_of_range", "must be from zero to the quota");
    }
}

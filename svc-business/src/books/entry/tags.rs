//! Tax tags held against what an entry moves.

use svc_core::error::Validator;
use svc_core::money::{Amount, MoneyError};

use super::{Entry, KnownAccounts, TagKind, TaxTag};
use crate::books::account::TaxRole;

/// Judges that VAT in the tags is VAT in the lines: what output tags and surcharges count is credited to accounts of
/// output VAT, and what input tags let deduct is debited to accounts of input VAT.
///
/// Returns read tags alone, so without this a return and the books could say two things. Entries that carry whole
/// balances (settlement of a return, opening, closing) move VAT whose tags were told before and have none.
///
/// The finding is `tax_tags_mismatch`, on `taxTags`.
pub fn judge_tags(validator: &mut Validator, entry: &Entry, accounts: &KnownAccounts) {
    if entry.kind.carries_balances() {
        let none = entry.tax_tags.is_empty();
        let message = format!("an entry of the kind {} has no tax tags", entry.kind);
        validator.require(none, "taxTags", "not_allowed", message);
        return;
    }
    for (role, name) in [(TaxRole::OutputVat, "output"), (TaxRole::InputVat, "input")] {
        let sums = moved(entry, accounts, role).and_then(|moved| Ok((moved, tagged(entry, role)?)));
        if let Some((moved, tagged)) = validator.take("taxTags", "out_of_range", sums) {
            let message = format!("the lines move {moved} of {name} VAT and the tags count {tagged}");
            validator.require(moved == tagged, "taxTags", "tax_tags_mismatch", message);
        }
    }
}

/// What the lines add to the VAT of this role, on the side on which it grows.
fn moved(entry: &Entry, accounts: &KnownAccounts, role: TaxRole) -> Result<Amount, MoneyError> {
    let has_role = |code| accounts.get(&code).is_some_and(|account| account.tax_role == Some(role));
    let lines = entry.lines.iter().filter(|line| has_role(line.account));
    let signed = Amount::sum(lines.map(|line| line.movement.signed()), entry.base_currency)?;
    Ok(match role {
        TaxRole::OutputVat | TaxRole::WithholdingPayable => signed.negated(),
        TaxRole::InputVat | TaxRole::WithholdingReceivable | TaxRole::VatSettlement => signed,
    })
}

/// What the tags say that the VAT of this role grows by.
fn tagged(entry: &Entry, role: TaxRole) -> Result<Amount, MoneyError> {
    let counted = entry.tax_tags.iter().filter_map(|tag| of_role(tag, role));
    Amount::sum(counted, entry.base_currency)
}

fn of_role(tag: &TaxTag, role: TaxRole) -> Option<Amount> {
    match (tag.kind, role) {
        (TagKind::VatOutput | TagKind::SurchargeOutput, TaxRole::OutputVat) => Some(tag.quota),
        (TagKind::VatInput, TaxRole::InputVat) => Some(tag.deductible()),
        (
            TagKind::VatOutput
            | TagKind::SurchargeOutput
            | TagKind::VatInput
            | TagKind::WithholdingPractised
            | TagKind::WithholdingBorne,
            TaxRole::OutputVat
            | TaxRole::InputVat
            | TaxRole::WithholdingPayable
            | TaxRole::WithholdingReceivable
            | TaxRole::VatSettlement,
        ) => None,
    }
}

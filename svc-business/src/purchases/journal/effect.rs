//! What a document does to accounts and taxes.

use svc_core::id::ContactId;
use svc_core::money::{Amount, MoneyError};

use super::{JournalRefused, JournalSetting};
use crate::books::account::AccountCode;
use crate::books::default_accounts::Purpose;
use crate::books::entry::{Particulars, TagKind, TaxTag};
use crate::invoicing::journal::{self, join};
use crate::purchases::document::{Approval, DocType, Line, SupplierDocument};
use crate::trade::calculation::Deduction;
use crate::trade::{ItemType, Supply, TaxCode};

/// Lines and tags of an entry before they have ids.
#[derive(Clone, Debug)]
pub(super) struct Effect {
    pub(super) parts: Vec<Part>,
    pub(super) tags: Vec<TaxTag>,
}

/// What moves on one account: debit minus credit, as all amounts here.
pub(super) type Part = journal::Part<Role>;

/// What a part is in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Cost,
    InputVat,
    OutputVat,
    Withholding,
    Supplier,
    Money,
}

impl Effect {
    /// The effect of a document.
    ///
    /// Where nothing is left of the lines though a return is to learn of something, they are not joined: an entry has
    /// two lines.
    pub(super) fn whole(
        document: &SupplierDocument,
        approval: &Approval,
        setting: &JournalSetting<'_>,
    ) -> Result<Self, JournalRefused> {
        let deduction = document.deduction()?;
        let tags = tags(document, approval, &deduction)?;
        let costs = costs(document, &deduction, setting)?;
        let mut parts = converted(document, join(costs.clone())?)?;
        let mut others = Vec::new();
        others.extend(input_vat(document, &deduction, setting)?);
        others.extend(output_vat(document, setting)?);
        others.extend(withheld(document, setting)?);
        others.push(supplier(document, approval, setting)?);
        parts.extend(others.iter().cloned());
        let moving = |parts: &[Part]| parts.iter().filter(|part| part.base.minor() != 0).count();
        if moving(&parts) < 2 && !tags.is_empty() {
            parts = converted(document, costs)?;
            parts.extend(others);
        }
        journal::settle(&mut parts, document.base_currency, Role::Cost, Role::Supplier)?;
        parts.retain(|part| part.base.minor() != 0);
        Ok(Self { parts, tags })
    }
}

/// Each part as a line of the entry: converted as one, not as what it was joined from.
fn converted(document: &SupplierDocument, parts: Vec<Part>) -> Result<Vec<Part>, MoneyError> {
    parts.into_iter().map(|part| Ok(Part { base: document.in_base(part.foreign)?, ..part })).collect()
}

/// What each line costs: its base, which an import does not charge, and the tax that cannot be deducted.
fn costs(
    document: &SupplierDocument,
    deduction: &Deduction,
    setting: &JournalSetting<'_>,
) -> Result<Vec<Part>, JournalRefused> {
    let lines = document.content.lines().iter().zip(&document.content.figures().lines);
    let mut parts = Vec::with_capacity(document.content.lines().len());
    for ((line, figures), tax) in lines.zip(&deduction.costs) {
        let charged = !document.doc_type.charges_tax_alone();
        let foreign = if charged { figures.tax_base.plus(*tax)? } else { *tax };
        if foreign.minor() == 0 {
            continue;
        }
        let account = cost_account(line, setting)?;
        parts.push(part(document, Role::Cost, account, foreign)?);
    }
    Ok(parts)
}

fn cost_account(line: &Line, setting: &JournalSetting<'_>) -> Result<AccountCode, JournalRefused> {
    let purpose = match line.item_type {
        ItemType::Service => Purpose::Expense,
        ItemType::Good => Purpose::Purchases,
    };
    let asset = line.asset_class.map(|class| class.accounts(setting.code_length).asset);
    line.account.or(asset).map_or_else(|| setting.account(purpose), Ok)
}

fn input_vat(
    document: &SupplierDocument,
    deduction: &Deduction,
    setting: &JournalSetting<'_>,
) -> Result<Option<Part>, JournalRefused> {
    let amounts = deduction.taxes.iter().map(|tax| tax.deductible);
    summed(document, Role::InputVat, Purpose::InputVat, amounts, setting)
}

/// Tax that the company owes itself.
fn output_vat(
    document: &SupplierDocument,
    setting: &JournalSetting<'_>,
) -> Result<Option<Part>, JournalRefused> {
    if !document.doc_type.is_registered() {
        return Ok(None);
    }
    let amounts = document.content.figures().taxes.iter().map(|tax| tax.self_assessed_quota.negated());
    summed(document, Role::OutputVat, Purpose::OutputVat, amounts, setting)
}

fn withheld(
    document: &SupplierDocument,
    setting: &JournalSetting<'_>,
) -> Result<Option<Part>, JournalRefused> {
    let amounts = document.content.figures().withholdings.iter().map(|one| one.amount.negated());
    summed(document, Role::Withholding, Purpose::WithholdingPayable, amounts, setting)
}

fn supplier(
    document: &SupplierDocument,
    approval: &Approval,
    setting: &JournalSetting<'_>,
) -> Result<Part, JournalRefused> {
    let account = setting.payable(approval.supplier_type)?;
    let part = part(document, Role::Supplier, account, document.payable().negated())?;
    Ok(Part { contact: Some(approval.contact), due_date: Some(approval.due_date), ..part })
}

fn part(
    document: &SupplierDocument,
    role: Role,
    account: AccountCode,
    foreign: Amount,
) -> Result<Part, MoneyError> {
    let base = document.in_base(foreign)?;
    Ok(Part { role, account, contact: None, due_date: None, foreign, base })
}

/// Amounts that are converted one by one, as their tags are; `None` where there are none.
fn summed(
    document: &SupplierDocument,
    role: Role,
    purpose: Purpose,
    amounts: impl Iterator<Item = Amount>,
    setting: &JournalSetting<'_>,
) -> Result<Option<Part>, JournalRefused> {
    let amounts: Vec<_> = amounts.filter(|amount| amount.minor() != 0).collect();
    if amounts.is_empty() {
        return Ok(None);
    }
    let converted = amounts.iter().map(|amount| document.in_base(*amount)).collect::<Result<Vec<_>, _>>()?;
    let base = Amount::sum(converted, document.base_currency)?;
    let foreign = Amount::sum(amounts, document.content.currency())?;
    let account = setting.account(purpose)?;
    Ok(Some(Part { role, account, contact: None, due_date: None, foreign, base }))
}

/// What returns are to learn.
fn tags(
    document: &SupplierDocument,
    approval: &Approval,
    deduction: &Deduction,
) -> Result<Vec<TaxTag>, MoneyError> {
    // What a supplier takes back is not always of a document that is known.
    let rectifies = (document.doc_type == DocType::CreditNote).then_some(approval.accounting_date);
    let tag = |kind, code: &str, base, quota, deductible: Option<Amount>| {
        Ok::<_, MoneyError>(TaxTag {
            kind,
            tax_code: code.parse().expect("the table of taxes has codes"),
            base: document.in_base(base)?,
            quota: document.in_base(quota)?,
            deductible_quota: deductible.map(|part| document.in_base(part)).transpose()?,
            tax_date: approval.accounting_date,
            particulars: Particulars { rectifies, ..Particulars::default() },
            contact: Some::<ContactId>(approval.contact),
            posted_contact: None,
        })
    };
    let mut tags = Vec::new();
    if document.doc_type.is_registered() {
        for tax in &deduction.taxes {
            let deductible = (tax.deductible != tax.quota).then_some(tax.deductible);
            let input = tag(TagKind::VatInput, tax.tax.code, tax.base, tax.quota, deductible)?;
            tags.push(supplied(input, tax.supply));
        }
        for (tax, supply, base, quota) in self_assessed(deduction)? {
            let output = supplied(tag(TagKind::VatOutput, tax.code, base, quota, None)?, supply);
            tags.push(TaxTag { tax_date: document.output_date(), ..output });
        }
    }
    for one in &document.content.figures().withholdings {
        let rate = one.rate.to_string().replace('.', "_");
        let code = format!("es_irpf_{}_{rate}", approval.withholding_key);
        tags.push(tag(TagKind::WithholdingPractised, &code, one.base, one.amount, None)?);
    }
    tags.retain(|tag| tag.base.minor() != 0 || tag.quota.minor() != 0);
    Ok(tags)
}

fn supplied(tag: TaxTag, supply: Option<Supply>) -> TaxTag {
    TaxTag { particulars: Particulars { supply, ..tag.particulars }, ..tag }
}

/// A tax that the company owes itself, with what is supplied, its base and its quota.
type SelfAssessed = (&'static TaxCode, Option<Supply>, Amount, Amount);

/// What the company owes itself of each tax and kind of supply, whatever can be deducted of it.
fn self_assessed(deduction: &Deduction) -> Result<Vec<SelfAssessed>, MoneyError> {
    let mut owed = Vec::<SelfAssessed>::new();
    for part in deduction.taxes.iter().filter(|part| part.tax.self_assessed) {
        let same = |known: &&mut SelfAssessed| (known.0, known.1) == (part.tax, part.supply);
        match owed.iter_mut().find(same) {
            Some((_, _, base, quota)) => {
                (*base, *quota) = (base.plus(part.base)?, quota.plus(part.quota)?);
            }
            None => owed.push((part.tax, part.supply, part.base, part.quota)),
        }
    }
    Ok(owed)
}

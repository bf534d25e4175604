//! What a document does to accounts and taxes.

use svc_core::money::{Amount, MoneyError};
use time::Date;

use super::{JournalRefused, JournalSetting};
use crate::books::account::AccountCode;
use crate::books::default_accounts::Purpose;
use crate::books::entry::{Particulars, TagKind, TaxTag};
use crate::invoicing::journal::{self, join};
use crate::sales::document::{ItemType, Line, SalesDocument};
use crate::trade::calculation::TaxFigures;
use crate::trade::{Rate, Supply, TaxCategory};

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
    Customer,
    Withholding,
    Vat,
    Sale,
    Money,
}

/// Whether parts of one account are one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lines {
    Joined,
    Apart,
}

impl Effect {
    /// The effect of a document without those of the documents whose place it takes. `rectified` is when the tax of what
    /// it puts right fell due.
    ///
    /// Where nothing is left of the lines though a return is to learn of something, they are not joined: an entry has
    /// two lines.
    pub(super) fn whole(
        document: &SalesDocument,
        replaced: &[SalesDocument],
        rectified: Option<Date>,
        setting: &JournalSetting<'_>,
    ) -> Result<Self, JournalRefused> {
        let joined = Self::with_lines(document, replaced, rectified, setting, Lines::Joined)?;
        if joined.parts.len() >= 2 || joined.tags.is_empty() {
            return Ok(joined);
        }
        Self::with_lines(document, replaced, rectified, setting, Lines::Apart)
    }

    fn with_lines(
        document: &SalesDocument,
        replaced: &[SalesDocument],
        rectified: Option<Date>,
        setting: &JournalSetting<'_>,
        lines: Lines,
    ) -> Result<Self, JournalRefused> {
        let mut effect = Self::of(document, setting, lines)?;
        let tag_date = document.tag_date();
        // At two rates of exchange an amount of one sign could be one of the other in the books.
        let one_rate = replaced.iter().all(|original| original.fx_rate() == document.fx_rate());
        for original in replaced {
            let old = Self::of(original, setting, lines)?;
            effect.parts.extend(old.parts.into_iter().map(Part::negated));
            effect.tags.extend(old.tags.into_iter().map(|tag| negated(tag, tag_date)));
        }
        if lines == Lines::Joined && one_rate {
            effect.parts = join(effect.parts)?;
        }
        effect.parts.retain(|part| part.base.minor() != 0);
        for tag in &mut effect.tags {
            tag.particulars.rectifies = rectified;
        }
        effect.tags = sum_tags(effect.tags)?;
        Ok(effect)
    }

    fn of(
        document: &SalesDocument,
        setting: &JournalSetting<'_>,
        lines: Lines,
    ) -> Result<Self, JournalRefused> {
        let mut parts = vec![customer(document, setting)?];
        parts.extend(withheld(document, setting)?);
        parts.extend(vat(document, setting)?);
        let sales = sales(document, setting)?;
        match lines {
            Lines::Apart => parts.extend(sales),
            // A line of the entry is converted as one, not as what it was joined from.
            Lines::Joined => parts.extend(
                join(sales)?
                    .into_iter()
                    .map(|joined| Ok(Part { base: document.in_base(joined.foreign)?, ..joined }))
                    .collect::<Result<Vec<_>, MoneyError>>()?,
            ),
        }
        // Sales stand on the side of VAT.
        journal::settle(&mut parts, document.base_currency, Role::Sale, Role::Customer)?;
        Ok(Self { parts, tags: tags(document)? })
    }
}

fn part(
    document: &SalesDocument,
    role: Role,
    account: AccountCode,
    foreign: Amount,
) -> Result<Part, JournalRefused> {
    let base = document.in_base(foreign)?;
    Ok(Part { role, account, contact: None, due_date: None, foreign, base })
}

fn customer(document: &SalesDocument, setting: &JournalSetting<'_>) -> Result<Part, JournalRefused> {
    let payable = document.content.totals().payable;
    let part = part(document, Role::Customer, setting.receivable()?, payable)?;
    Ok(Part { contact: document.contact, due_date: document.due_date(), ..part })
}

fn withheld(document: &SalesDocument, setting: &JournalSetting<'_>) -> Result<Option<Part>, JournalRefused> {
    let amounts = document.content.figures().withholdings.iter().map(|one| one.amount);
    summed(document, Role::Withholding, Purpose::WithholdingReceivable, amounts, setting)
}

fn vat(document: &SalesDocument, setting: &JournalSetting<'_>) -> Result<Option<Part>, JournalRefused> {
    let taxes = document.content.figures().taxes.iter();
    let quotas = taxes.flat_map(|tax| [tax.quota.negated(), tax.surcharge_quota.negated()]);
    summed(document, Role::Vat, Purpose::OutputVat, quotas, setting)
}

/// Amounts that are converted one by one, as their tags are; `None` where there are none.
fn summed(
    document: &SalesDocument,
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

/// One part for each line, credited with its tax base.
fn sales(document: &SalesDocument, setting: &JournalSetting<'_>) -> Result<Vec<Part>, JournalRefused> {
    let lines = document.content.lines().iter().zip(&document.content.figures().lines);
    let rectifying = document.kind.rectification().is_some();
    let mut parts = Vec::with_capacity(document.content.lines().len());
    for (line, figures) in lines {
        let account = match setting.reductions {
            Some(reductions) if rectifying && figures.tax_base.minor() < 0 => reductions,
            Some(_) | None => sale_account(line, setting)?,
        };
        parts.push(part(document, Role::Sale, account, figures.tax_base.negated())?);
    }
    Ok(parts)
}

fn sale_account(line: &Line, setting: &JournalSetting<'_>) -> Result<AccountCode, JournalRefused> {
    let purpose = match line.item_type {
        ItemType::Service => Purpose::Services,
        ItemType::Good => Purpose::Sales,
    };
    line.account.map_or_else(|| setting.account(purpose), Ok)
}

/// What returns are to learn.
fn tags(document: &SalesDocument) -> Result<Vec<TaxTag>, MoneyError> {
    let Some(tax_date) = document.tag_date() else { return Ok(Vec::new()) };
    let tag = |kind, code: &str, base, quota| {
        Ok::<_, MoneyError>(TaxTag {
            kind,
            tax_code: code.parse().expect("the table of taxes has codes"),
            base: document.in_base(base)?,
            quota: document.in_base(quota)?,
            deductible_quota: None,
            tax_date,
            particulars: Particulars::default(),
            contact: document.contact,
            posted_contact: None,
        })
    };
    let figures = document.content.figures();
    let mut tags = Vec::new();
    for tax in &figures.taxes {
        let exemption = document.content.exemption(tax.tax);
        for (supply, base) in supplies(document, tax)? {
            // What is told apart charges no tax.
            let quota = if supply.is_none() { tax.quota } else { Amount::zero(base.currency()) };
            let told = tag(TagKind::VatOutput, tax.tax.code, base, quota)?;
            tags.push(TaxTag { particulars: Particulars { exemption, supply, rectifies: None }, ..told });
        }
        if tax.tax.surcharge > Rate::ZERO {
            tags.push(tag(TagKind::SurchargeOutput, tax.tax.code, tax.base, tax.surcharge_quota)?);
        }
    }
    for one in &figures.withholdings {
        let code = format!("es_irpf_{}", one.rate.to_string().replace('.', "_"));
        tags.push(tag(TagKind::WithholdingBorne, &code, one.base, one.amount)?);
    }
    Ok(tags)
}

/// The base of a tax by what is supplied: goods and services are told apart in supplies within the European Union, which
/// charge no tax.
fn supplies(document: &SalesDocument, tax: &TaxFigures) -> Result<Vec<(Option<Supply>, Amount)>, MoneyError> {
    if tax.tax.category != TaxCategory::IntraCommunity {
        return Ok(vec![(None, tax.base)]);
    }
    let lines = document.content.lines().iter().zip(&document.content.figures().lines);
    let services = lines.filter(|(line, _)| line.tax == tax.tax && line.item_type == ItemType::Service);
    let services = Amount::sum(services.map(|(_, figures)| figures.tax_base), tax.base.currency())?;
    let goods = tax.base.minus(services)?;
    let parts = [(Some(Supply::Goods), goods), (Some(Supply::Services), services)];
    Ok(parts.into_iter().filter(|(_, base)| base.minor() != 0).collect())
}

fn negated(tag: TaxTag, tax_date: Option<Date>) -> TaxTag {
    TaxTag {
        base: tag.base.negated(),
        quota: tag.quota.negated(),
        tax_date: tax_date.unwrap_or(tag.tax_date),
        ..tag
    }
}

/// Tags of one tax as one; those that say nothing go.
fn sum_tags(tags: Vec<TaxTag>) -> Result<Vec<TaxTag>, MoneyError> {
    let mut summed = Vec::<TaxTag>::new();
    for tag in tags {
        let same = |known: &&mut TaxTag| {
            (known.kind, &known.tax_code, known.particulars) == (tag.kind, &tag.tax_code, tag.particulars)
        };
        match summed.iter_mut().find(same) {
            Some(known) => {
                known.base = known.base.plus(tag.base)?;
                known.quota = known.quota.plus(tag.quota)?;
            }
            None => summed.push(tag),
        }
    }
    summed.retain(|tag| tag.base.minor() != 0 || tag.quota.minor() != 0);
    Ok(summed)
}

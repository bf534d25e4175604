//! Gathering what a movement may stand for: a handful of questions, each of which an index answers.

use svc_core::error::StoreError;
use svc_core::id::ContactId;
use svc_core::page::{PageRules, Sort};
use svc_core::pii::{Pii, PiiAccess};
use svc_core::tenant::Scope;
use time::Duration;

use super::clue::Texts;
use super::facts::{DueReturn, Facts};
use super::score::NEAR;
use crate::bank::import::BankMovementReader;
use crate::bank::movement::{BankMovement, BankMovementStatus, PaidDocument, TextKey};
use crate::contact::{ContactFilter, ContactReader, StatusFilter};
use crate::invoicing::{DueDocument, DueLeads, PaymentLeads, UnmatchedPayment};
use crate::ports::{DynTreasuryUnit, PurchaseStorage, SalesStorage};
use crate::purchases::SupplierDocumentReader;
use crate::sales::SalesReader;
use crate::tax::returns::{TaxReturn, TaxReturnReader};
use crate::treasury::declared;

/// Documents to which each lead leads at most.
const MOST_DUE: u32 = 40;
/// Contacts to which a movement leads at most, by each clue.
const MOST_CONTACTS: u32 = 5;
/// Payments that no movement stands against at most, of sales and of purchases each.
const MOST_UNMATCHED: u32 = 10;
/// Tax returns to which the amount leads at most.
const MOST_RETURNS: u32 = 10;
/// How many days may be between a payment and its movement.
const PAYMENT_DAYS: i64 = 5;
/// How often movements with a text are booked on an account before that is proposed.
const TIMES: u32 = 3;

/// Where the facts are.
#[derive(Clone, Copy)]
pub struct Sources<'s> {
    sales: &'s dyn SalesReader,
    purchases: &'s dyn SupplierDocumentReader,
    contacts: &'s dyn ContactReader,
    movements: &'s dyn BankMovementReader,
    returns: &'s dyn TaxReturnReader,
}

impl<'s> Sources<'s> {
    /// What is committed.
    #[must_use]
    pub fn committed<S: SalesStorage + PurchaseStorage + ?Sized>(storage: &'s S) -> Self {
        Self {
            sales: storage.sales(),
            purchases: storage.supplier_documents(),
            contacts: storage.contacts(),
            movements: storage.bank_movements(),
            returns: storage.tax_returns(),
        }
    }

    /// What a unit of work sees.
    #[must_use]
    pub fn within(unit: &'s DynTreasuryUnit) -> Self {
        Self {
            sales: unit.sales(),
            purchases: unit.supplier_documents(),
            contacts: unit.contacts(),
            movements: unit.bank_movements(),
            returns: unit.tax_returns(),
        }
    }

    /// What is known that a pending movement may stand for; of another one, nothing. A caller without sight of personal data is told nothing by account
    /// numbers and tax ids: they would be guessed by what is proposed.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn facts(
        &self,
        scope: &Scope,
        access: PiiAccess,
        movement: &BankMovement,
    ) -> Result<Facts, StoreError> {
        let mut facts = Facts::default();
        if movement.state.status() != BankMovementStatus::Pending {
            return Ok(facts);
        }
        let texts = Texts::of(movement);
        if access.is_full() {
            (facts.with_iban, facts.with_tax_id) = self.by_numbers(movement, &texts).await?;
        }
        let mut contacts: Vec<ContactId> = [facts.with_iban.clone(), facts.with_tax_id.clone()].concat();
        contacts.extend(self.by_name(scope, movement, &texts).await?);
        contacts.sort_unstable();
        contacts.dedup();
        facts.due = self.due(movement, &texts, contacts).await?;
        facts.unmatched = self.unmatched(movement).await?;
        facts.returns = self.returns(movement).await?;
        if let Some(text) = TextKey::of(movement) {
            let booked = self.movements.booked_on(movement.company, &text).await?;
            facts.booked_on = booked.filter(|(_, times)| *times >= TIMES).map(|(account, _)| account);
        }
        Ok(facts)
    }

    /// Contacts with the account of the other side, and contacts whose tax ids are in the texts.
    async fn by_numbers(
        &self,
        movement: &BankMovement,
        texts: &Texts,
    ) -> Result<(Vec<ContactId>, Vec<ContactId>), StoreError> {
        let with_iban = match &movement.counterparty_iban {
            Some(iban) => self.contacts.active_with_iban(movement.company, iban, MOST_CONTACTS).await?,
            None => Vec::new(),
        };
        let mut with_tax_id = Vec::new();
        for tax_id in texts.tax_ids() {
            let tax_id = Pii::new(tax_id);
            with_tax_id.extend(self.contacts.active_with_tax_id(movement.company, &tax_id, None).await?);
        }
        Ok((with_iban, with_tax_id))
    }

    /// Contacts with the name of the other side.
    async fn by_name(
        &self,
        scope: &Scope,
        movement: &BankMovement,
        texts: &Texts,
    ) -> Result<Vec<ContactId>, StoreError> {
        let Some(name) = texts.other_side() else { return Ok(Vec::new()) };
        let filter = ContactFilter {
            companies: vec![movement.company],
            status: StatusFilter::Active,
            text: Some(name.to_owned()),
            ..ContactFilter::default()
        };
        let page = PageRules::USUAL.page(None, Some(MOST_CONTACTS)).map_err(StoreError::backend)?;
        let found = self.contacts.page(scope, &filter, &Sort(None), page).await?;
        Ok(found.items.iter().map(|contact| contact.id).collect())
    }

    async fn due(
        &self,
        movement: &BankMovement,
        texts: &Texts,
        contacts: Vec<ContactId>,
    ) -> Result<Vec<DueDocument<PaidDocument>>, StoreError> {
        let (day, days) = (movement.booking_date, Duration::days(NEAR.into()));
        let leads = DueLeads {
            due: movement.moved.amount,
            near: [day.saturating_sub(days), day.saturating_add(days)],
            numbers: texts.numbers(),
            contacts,
        };
        let sold = self.sales.due(movement.company, &leads, MOST_DUE).await?;
        let leads = DueLeads { due: leads.due.negated(), ..leads };
        let bought = self.purchases.due(movement.company, &leads, MOST_DUE).await?;
        let bought = bought.into_iter().map(|found| {
            let due = found.due.negated();
            DueDocument { due, ..found.of(PaidDocument::Purchase) }
        });
        Ok(sold.into_iter().map(|found| found.of(PaidDocument::Sales)).chain(bought).collect())
    }

    async fn unmatched(&self, movement: &BankMovement) -> Result<Vec<UnmatchedPayment>, StoreError> {
        let (day, days) = (movement.booking_date, Duration::days(PAYMENT_DAYS));
        let leads = PaymentLeads {
            amount: movement.moved.amount,
            days: [day.saturating_sub(days), day.saturating_add(days)],
            bank_account: movement.bank_account,
        };
        let mut found = self.sales.unmatched(movement.company, &leads, MOST_UNMATCHED).await?;
        let leads = PaymentLeads { amount: leads.amount.negated(), ..leads };
        found.extend(self.purchases.unmatched(movement.company, &leads, MOST_UNMATCHED).await?);
        Ok(found)
    }

    async fn returns(&self, movement: &BankMovement) -> Result<Vec<DueReturn>, StoreError> {
        let due = movement.moved.amount;
        if due.minor() == 0 {
            return Ok(Vec::new());
        }
        let found = self.returns.unpaid(movement.company, due, MOST_RETURNS).await?;
        let returned = |of: TaxReturn| DueReturn {
            declared: of.id,
            model: of.model,
            name: declared::name(&of),
            receipt: of.submission.and_then(|submission| submission.receipt),
            ends: of.period.to(),
            due_date: of.due,
        };
        Ok(found.into_iter().map(returned).collect())
    }
}

//! A document with all that its files need, read from where it is kept.

use svc_business::account::Account;
use svc_business::contact::Contact;
use svc_business::ports::BusinessStorage;
use svc_business::sales::document::{Customer, Issuer, SalesDocument};
use svc_core::error::StoreError;
use svc_core::money::MoneyError;
use svc_core::pii::Reveal;
use svc_core::resource::ResourceReader;
use svc_core::tenant::Scope;
use time::Date;

use super::{Sold, invoice_of};
use crate::model::{Invoice, Language};

/// A sales document, its company, its customer as it is now, and the documents that it puts right.
#[derive(Clone, Debug)]
pub struct LoadedSale {
    /// The document.
    pub document: SalesDocument,
    /// The company.
    pub company: Account,
    contact: Option<Contact>,
    originals: Vec<SalesDocument>,
}

impl LoadedSale {
    /// Reads what goes with a document of a company.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn read(
        storage: &dyn BusinessStorage,
        scope: &Scope,
        document: SalesDocument,
        company: Account,
    ) -> Result<Self, StoreError> {
        let contact = match document.contact {
            Some(id) => storage.contacts().find(scope, id).await?,
            None => None,
        };
        let ids = document.kind.rectification().map(|one| one.originals.clone()).unwrap_or_default();
        let found = ResourceReader::<SalesDocument>::find_all(storage.sales(), scope, &ids).await?;
        let originals =
            ids.iter().filter_map(|id| found.iter().find(|found| found.id == *id).cloned()).collect();
        Ok(Self { document, company, contact, originals })
    }

    /// The language of the document: that of the customer, or else of the company.
    #[must_use]
    pub fn language(&self) -> Language {
        let reader = self.contact.as_ref().map_or(&self.company.language, |contact| &contact.language);
        Language::for_reader(reader)
    }

    /// The document to exchange; `today` is the day of issue of a draft that plans none.
    ///
    /// # Errors
    /// As of [`invoice_of`].
    pub fn invoice(&self, today: Date, proof: Reveal) -> Result<Invoice, MoneyError> {
        let customer = self.contact.as_ref().map(|contact| Customer::of(contact, self.company.country));
        let sold = Sold {
            document: &self.document,
            issuer: &Issuer::of(&self.company),
            customer: customer.as_ref(),
            language: self.language(),
            today,
            originals: &self.originals,
        };
        invoice_of(&sold, proof)
    }

    /// What a file of the document is called: its number, or its id as long as it has none.
    #[must_use]
    pub fn file_name(&self, suffix: &str) -> String {
        let number = self.document.issue_data().map(|issue| issue.number.to_string().replace('/', "-"));
        format!("{}.{suffix}", number.unwrap_or_else(|| self.document.id.to_string()))
    }
}

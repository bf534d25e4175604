//! What the rules of contacts need from outside.

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ContactId};
use svc_core::pii::Pii;
use svc_core::resource::{Erase, References, ResourceReader, ResourceStore};

use crate::contact::Contact;
use crate::party::{Iban, TaxId};

/// Reads contacts.
///
/// # Implementing this port
/// The contract suite is `svc_testkit::business_storage_contract!`.
#[async_trait]
pub trait ContactReader: ResourceReader<Contact> {
    /// The active contact of `company` with this tax id, if there is one: the oldest of several.
    ///
    /// Two units of work may both find none. Then one of the two contacts is refused as it is stored, see
    /// [`Contact::shares_tax_id`].
    async fn active_with_tax_id(
        &self,
        company: AccountId,
        tax_id: &Pii<TaxId>,
        except: Option<ContactId>,
    ) -> Result<Option<ContactId>, StoreError>;

    /// The active contacts of a company with this bank account, oldest first, at most `limit`.
    async fn active_with_iban(
        &self,
        company: AccountId,
        iban: &Pii<Iban>,
        limit: u32,
    ) -> Result<Vec<ContactId>, StoreError>;

    /// Whether a sales document was issued to a contact.
    async fn has_issued(&self, contact: &Contact) -> Result<bool, StoreError>;

    /// Up to `limit` active or archived contacts of the same company that share the tax id, an
    /// e-mail, a phone or the normalised name with `contact`, oldest first.
    async fn possible_duplicates(&self, contact: &Contact, limit: u32) -> Result<Vec<Contact>, StoreError>;
}

/// Changes contacts.
///
/// # Implementing this port
/// Two contacts that are both suppliers become one supplier by [`References::repoint`], with the documents of both: two
/// documents with one number are then [`StoreError::Taken`] with `supplierNumber`.
pub trait ContactStore:
    ContactReader + ResourceStore<Contact> + Erase<Contact> + References<Contact>
{
}

impl<S: ContactReader + ResourceStore<Contact> + Erase<Contact> + References<Contact>> ContactStore for S {}

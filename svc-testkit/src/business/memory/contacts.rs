//! Contacts in memory.

use async_trait::async_trait;
use svc_business::contact::{Contact, ContactFilter, ContactSort, ContactStatus, StatusFilter, search_key};
use svc_business::party::TaxId;
use svc_business::ports::{ContactReader, ContactStore};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ContactId};
use svc_core::page::{Page, PageRequest, Sort};
use svc_core::pii::Pii;
use svc_core::resource::{ResourceReader, ResourceStore, Version};
use svc_core::tenant::Scope;

use super::{Store, list};

#[async_trait]
impl ResourceReader<Contact> for Store {
    async fn find(&self, scope: &Scope, id: ContactId) -> Result<Option<Contact>, StoreError> {
        Ok(self.state().contacts.get(&id).filter(|found| scope.contains(found.company)).cloned())
    }

    async fn page(
        &self,
        scope: &Scope,
        filter: &ContactFilter,
        sort: &Sort<ContactSort>,
        page: PageRequest,
    ) -> Result<Page<Contact>, StoreError> {
        let state = self.state();
        let known = state.contacts.values();
        let items =
            known.filter(|item| scope.contains(item.company) && matches(filter, item)).cloned().collect();
        let compare = |key, left: &Contact, right: &Contact| match key {
            ContactSort::Name => left.name_key().cmp(&right.name_key()),
            ContactSort::CreatedAt => left.created_at.cmp(&right.created_at),
            ContactSort::UpdatedAt => left.updated_at.cmp(&right.updated_at),
        };
        Ok(list::page(items, sort, ContactSort::CreatedAt, compare, |item| item.id, page))
    }
}

#[async_trait]
impl ResourceStore<Contact> for Store {
    async fn insert(&self, scope: &Scope, record: &Contact) -> Result<(), StoreError> {
        let mut state = self.state();
        if !scope.contains(record.company) || state.contacts.contains_key(&record.id) {
            return Err(StoreError::Conflict);
        }
        let mut next = state.clone();
        next.contacts.insert(record.id, record.clone());
        next.check_unique()?;
        *state = next;
        Ok(())
    }

    async fn replace(&self, scope: &Scope, before: Version, after: &Contact) -> Result<(), StoreError> {
        let mut state = self.state();
        let mut next = state.clone();
        match next.contacts.get_mut(&after.id) {
            Some(stored)
                if scope.contains(stored.company)
                    && stored.company == after.company
                    && stored.version == before =>
            {
                *stored = after.clone();
            }
            Some(_) | None => return Err(StoreError::Conflict),
        }
        next.check_unique()?;
        *state = next;
        Ok(())
    }

    async fn delete(&self, scope: &Scope, record: &Contact) -> Result<(), StoreError> {
        let mut state = self.state();
        match state.contacts.get(&record.id) {
            Some(stored) if scope.contains(stored.company) && stored.version == record.version => {
                state.contacts.remove(&record.id);
                Ok(())
            }
            Some(_) | None => Err(StoreError::Conflict),
        }
    }
}

#[async_trait]
impl ContactReader for Store {
    async fn active_with_tax_id(
        &self,
        company: AccountId,
        tax_id: &Pii<TaxId>,
        except: Option<ContactId>,
    ) -> Result<Option<ContactId>, StoreError> {
        let same = |contact: &&Contact| {
            contact.company == company
                && contact.status == ContactStatus::Active
                && contact.tax_id.as_ref() == Some(tax_id)
                && Some(contact.id) != except
        };
        Ok(self.state().contacts.values().find(same).map(|contact| contact.id))
    }

    async fn possible_duplicates(&self, contact: &Contact, limit: u32) -> Result<Vec<Contact>, StoreError> {
        let mut found: Vec<Contact> = self
            .state()
            .contacts
            .values()
            .filter(|other| possible_duplicates(contact, other))
            .cloned()
            .collect();
        found.sort_by_key(|other| (other.created_at, other.id));
        found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(found)
    }

    async fn in_use(&self, contact: &Contact) -> Result<bool, StoreError> {
        Ok(self.state().contacts.values().any(|other| refers(other, contact.id)))
    }
}

#[async_trait]
impl ContactStore for Store {
    async fn repoint(
        &self,
        company: AccountId,
        from: ContactId,
        to: ContactId,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let mut count = 0;
        for contact in self.state().contacts.values_mut() {
            if contact.company != company || !refers(contact, from) {
                continue;
            }
            if contact.parent == Some(from) {
                contact.parent = Some(to);
            }
            if contact.status == (ContactStatus::Merged { into: from }) {
                contact.status = ContactStatus::Merged { into: to };
            }
            contact.version = contact.version.next();
            contact.updated_at = now;
            count += 1;
        }
        Ok(count)
    }

    async fn move_all(&self, from: AccountId, to: AccountId) -> Result<u64, StoreError> {
        let mut state = self.state();
        let clash = state.contacts.values().filter(|contact| contact.company == from).any(|ours| {
            state.contacts.values().any(|theirs| {
                theirs.company == to
                    && ours.tax_id.is_some()
                    && ours.tax_id == theirs.tax_id
                    && [ours, theirs].iter().all(|one| one.status == ContactStatus::Active)
            })
        });
        if clash {
            return Err(StoreError::Taken { field: "taxId" });
        }
        let mut next = state.clone();
        let mut count = 0;
        for contact in next.contacts.values_mut().filter(|contact| contact.company == from) {
            contact.company = to;
            count += 1;
        }
        next.check_unique()?;
        *state = next;
        Ok(count)
    }
}

fn refers(other: &Contact, id: ContactId) -> bool {
    other.parent == Some(id) || other.status == (ContactStatus::Merged { into: id })
}

fn possible_duplicates(contact: &Contact, other: &Contact) -> bool {
    let phones = [&contact.phone, &contact.mobile];
    let phone =
        [&other.phone, &other.mobile].into_iter().any(|phone| phone.is_some() && phones.contains(&phone));
    let name = contact.name_key();
    other.id != contact.id
        && other.company == contact.company
        && !matches!(other.status, ContactStatus::Merged { .. })
        && ((contact.tax_id.is_some() && contact.tax_id == other.tax_id)
            || (contact.email.is_some() && contact.email_key() == other.email_key())
            || phone
            || (!name.is_empty() && name == other.name_key()))
}

fn matches(filter: &ContactFilter, contact: &Contact) -> bool {
    let status = match filter.status {
        StatusFilter::Active => contact.status == ContactStatus::Active,
        StatusFilter::Archived => contact.status == ContactStatus::Archived,
        StatusFilter::Merged => matches!(contact.status, ContactStatus::Merged { .. }),
        StatusFilter::All => true,
    };
    let found = |text: &String| {
        let text = search_key(text);
        contact.name_key().contains(&text) || contact.email_key().is_some_and(|key| key.contains(&text))
    };
    status
        && (filter.companies.is_empty() || filter.companies.contains(&contact.company))
        && filter.role.is_none_or(|role| contact.roles.contains(&role))
        && filter.kind.is_none_or(|kind| contact.kind() == kind)
        && filter.tag.as_ref().is_none_or(|tag| contact.tags.contains(tag))
        && filter.text.as_ref().is_none_or(found)
        && filter.tax_id.as_ref().is_none_or(|tax_id| contact.tax_id.as_ref() == Some(tax_id))
        && filter.parent.is_none_or(|parent| contact.parent == Some(parent))
        && filter
            .external_id
            .as_ref()
            .is_none_or(|external| contact.extension.external_id.as_ref() == Some(external))
        && filter.updated_since.is_none_or(|since| contact.updated_at >= since)
        && filter.from.is_none_or(|from| contact.created_at.date() >= from)
        && filter.to.is_none_or(|to| contact.created_at.date() <= to)
}

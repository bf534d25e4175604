//! Suppliers as rows, and how they are found by their contacts.

use async_trait::async_trait;
use svc_business::contact::{Contact, ContactFilter, StatusFilter};
use svc_business::party::TaxId;
use svc_business::purchases::supplier::{Supplier, SupplierStatus, SupplierType, VatRegime};
use svc_business::purchases::{SupplierFilter, SupplierReader, SupplierSort, SupplierStore};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ContactId, SupplierId, TypedId};
use svc_core::pii::Pii;
use svc_core::resource::{Erase, ResourceReader, ResourceStore};
use svc_core::tenant::Scope;

use crate::business::cell::{Cell, Stored, named, numbered};
use crate::business::contact::TABLE as CONTACTS;
use crate::business::everything;
use crate::business::record::{Count, FEW, Reference, Row, columns, repoint};
use crate::business::registry::tables;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::DeferInsert;

pub(super) const TABLE: &str = "svc_suppliers";

impl Row for Supplier {
    const TABLE: &'static str = TABLE;
    const REFERENCES: &'static [Reference] = &[Reference::once("contact_id", CONTACTS)];

    columns! {
        {
        id: "id",
        company: "company_id",
        contact: "contact_id",
        code: "code",
        supplier_type: "supplier_type",
        payment_term_days: "payment_term_days",
        payment_method: "payment_method",
        expense_account: "expense_account",
        tax_code: "tax_code",
        withholding_rate: "withholding_rate",
        withholding_key: "withholding_key",
        vat_regime: "vat_regime",
        status: "status",
        extension: "external_id" | "metadata",
        version: "version",
        created_at: "created_at",
        updated_at: "updated_at",
        }
        children {  }
        derived {  }
    }

    fn companies(filter: &SupplierFilter) -> &[AccountId] {
        &filter.companies
    }

    fn filtered(sql: Sql, filter: &SupplierFilter) -> Sql {
        let sql = sql
            .and(" AND status = ", filter.status.map(|status| status.to_sql()))
            .and(" AND supplier_type = ", filter.supplier_type.map(SupplierType::name))
            .and(" AND contact_id = ", filter.contact.map(TypedId::uuid))
            .and(" AND code = ", filter.code.as_deref())
            .and(" AND external_id = ", filter.external_id.as_deref())
            .and(" AND updated_at >= ", filter.updated_since.map(Timestamp::unix_micros));
        match &filter.contacts {
            Some(contacts) => sql.text(" AND contact_id").one_or_among(contacts.iter().map(|id| id.uuid())),
            None => sql,
        }
    }

    fn count(filter: &SupplierFilter) -> Count<'_, SupplierFilter> {
        let SupplierFilter { companies, status, supplier_type, updated_since, .. } = filter.clone();
        let kinds = SupplierFilter { companies, status, supplier_type, ..SupplierFilter::default() };
        let changed = SupplierFilter { updated_since, ..kinds.clone() };
        Count::of(filter, kinds.clone(), [&kinds, &kinds, &changed], (None, updated_since))
    }

    fn is_narrow(filter: &SupplierFilter, total: u64) -> bool {
        let one = filter.contact.is_some() || filter.code.is_some() || filter.external_id.is_some();
        one || filter.contacts.is_some() || (filter.updated_since.is_some() && total <= FEW)
    }

    fn sort_column(key: SupplierSort) -> &'static str {
        match key {
            SupplierSort::Name => "name_key",
            SupplierSort::CreatedAt => "created_at",
            SupplierSort::UpdatedAt => "updated_at",
        }
    }
}

named!(VatRegime: name);

numbered!(SupplierStatus { Active = 0, Archived = 1 });

#[async_trait]
impl<C: DeferInsert + Send + Sync> SupplierReader for SeaStore<C> {
    async fn of_contact(
        &self,
        company: AccountId,
        contact: ContactId,
    ) -> Result<Option<SupplierId>, StoreError> {
        let found = self.sql("SELECT id FROM svc_suppliers WHERE company_id = ").bind(company.uuid());
        let found = found.text(" AND contact_id = ").bind(contact.uuid());
        let rows = self.rows(found.text(" ORDER BY created_at, id LIMIT 1")).await?;
        rows.first().map(|row| Cell::take(row, "id")).transpose()
    }

    async fn contacts_with_text(
        &self,
        scope: &Scope,
        companies: &[AccountId],
        text: &str,
    ) -> Result<Vec<ContactId>, StoreError> {
        let text = Some(text.to_owned());
        let filter = ContactFilter { text, ..everybody(companies) };
        self.ids_with_text::<Contact>(scope, &filter).await
    }

    async fn contacts_with_tax_id(
        &self,
        scope: &Scope,
        companies: &[AccountId],
        tax_id: &Pii<TaxId>,
    ) -> Result<Vec<ContactId>, StoreError> {
        let filter = ContactFilter { tax_id: Some(tax_id.clone()), ..everybody(companies) };
        self.ids_with_text::<Contact>(scope, &filter).await
    }
}

fn everybody(companies: &[AccountId]) -> ContactFilter {
    ContactFilter { companies: companies.to_vec(), status: StatusFilter::All, ..ContactFilter::default() }
}

impl<C: DeferInsert + Send + Sync> SupplierStore for SeaStore<C> {}

impl<C: DeferInsert + Send + Sync> SeaStore<C> {
    /// Makes the suppliers one that two contacts are, of which one is about to absorb the other: what refers to the
    /// supplier that goes is pointed to the one that stays.
    pub(in crate::business) async fn unite_suppliers(
        &self,
        company: AccountId,
        (from, to): (ContactId, ContactId),
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (Some(gone), Some(kept)) =
            (self.of_contact(company, from).await?, self.of_contact(company, to).await?)
        else {
            return Ok(());
        };
        let scope = everything();
        let found: Vec<Supplier> = ResourceReader::find_all(self, &scope, &[gone, kept]).await?;
        let of = |id: SupplierId| found.iter().find(|one| one.id == id).cloned().ok_or(StoreError::Conflict);
        let (gone, kept) = (of(gone)?, of(kept)?);
        repoint(&self.conn, &tables(), TABLE, company, (gone.id.uuid(), kept.id.uuid()), now).await?;
        // Documents with one number are one supplier's from now on, and told as such.
        let keys = self.sql("UPDATE svc_supplier_documents SET duplicate_key = replace(duplicate_key, ");
        let keys = keys.bind(gone.id.to_string()).text(", ").bind(kept.id.to_string());
        let keys = keys.text(") WHERE company_id = ").bind(company.uuid()).text(" AND supplier_id = ");
        keys.bind(kept.id.uuid()).text(" AND duplicate_key IS NOT NULL").execute(&self.conn).await?;
        Erase::<Supplier>::erase(self, &scope, &gone).await?;
        let united = Supplier { version: kept.version.next(), updated_at: now, ..kept.clone().united(gone) };
        ResourceStore::<Supplier>::replace(self, &scope, &kept, &united).await
    }
}

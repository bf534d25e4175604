//! The 44 event types of the specification, part 6.8, as data.

use crate::permission::Permission;

/// What is known of one event type.
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) english: &'static str,
    pub(super) spanish: &'static str,
    pub(super) object: &'static str,
    pub(super) permission: Permission,
    pub(super) route: &'static str,
}

const fn entry(
    name: &'static str,
    english: &'static str,
    spanish: &'static str,
    object: &'static str,
    permission: &str,
    route: &'static str,
) -> Entry {
    Entry { name, english, spanish, object, permission: Permission::of(permission), route }
}

#[rustfmt::skip]
pub(super) const CATALOGUE: &[Entry] = &[
    entry("contact.create", "contact created", "contacto creado", "contact", "contacts:contacts.read", "/contacts/{id}"),
    entry("contact.update", "contact updated", "contacto actualizado", "contact", "contacts:contacts.read", "/contacts/{id}"),
    entry("contact.delete", "contact deleted", "contacto eliminado", "contact", "contacts:contacts.read", "/contacts/{id}"),
    entry("contact.merge", "contacts merged", "contactos fusionados", "contact", "contacts:contacts.read", "/contacts/{id}"),
    entry("account.create", "account created", "empresa creada", "account", "contacts:accounts.read", "/accounts/{id}"),
    entry("account.update", "account updated", "empresa actualizada", "account", "contacts:accounts.read", "/accounts/{id}"),
    entry("account.delete", "account deactivated", "empresa desactivada", "account", "contacts:accounts.read", "/accounts/{id}"),
    entry("account.merge", "accounts merged", "empresas fusionadas", "account", "contacts:accounts.read", "/accounts/{id}"),
    entry("case.create", "matter opened", "expediente abierto", "case", "crm:cases.read", "/cases/{id}"),
    entry("case.update", "matter updated", "expediente actualizado", "case", "crm:cases.read", "/cases/{id}"),
    entry("invoice.create", "sales document created", "documento de venta creado", "invoice", "sales:invoices.read", "/billing/{id}"),
    entry("invoice.update", "sales document updated", "documento de venta actualizado", "invoice", "sales:invoices.read", "/billing/{id}"),
    entry("invoice.delete", "sales draft deleted", "borrador de venta eliminado", "invoice", "sales:invoices.read", "/billing/{id}"),
    entry("invoice.issue", "invoice issued", "factura emitida", "invoice", "sales:invoices.read", "/billing/{id}"),
    entry("invoice.send", "invoice emailed", "factura enviada por correo", "invoice", "sales:invoices.read", "/billing/{id}"),
    entry("invoice.pay", "payment recorded", "cobro registrado", "invoice", "sales:invoices.read", "/billing/{id}"),
    entry("invoice.void", "invoice voided", "factura anulada", "invoice", "sales:invoices.read", "/billing/{id}"),
    entry("supplier_document.create", "expense received", "gasto recibido", "supplier_document", "purchases:documents.read", "/supplier-documents/{id}"),
    entry("supplier_document.update", "expense updated", "gasto actualizado", "supplier_document", "purchases:documents.read", "/supplier-documents/{id}"),
    entry("supplier.create", "supplier created", "proveedor creado", "supplier", "purchases:suppliers.read", "/suppliers/{id}"),
    entry("journal_entry.create", "journal entry created", "asiento creado", "journal_entry", "accounting:journal.read", "/books/{companyId}/journal-entries/{id}"),
    entry("journal_entry.update", "journal entry updated", "asiento actualizado", "journal_entry", "accounting:journal.read", "/books/{companyId}/journal-entries/{id}"),
    entry("journal_entry.post", "journal entry posted", "asiento contabilizado", "journal_entry", "accounting:journal.read", "/books/{companyId}/journal-entries/{id}"),
    entry("journal_entry.delete", "journal entry deleted", "asiento eliminado", "journal_entry", "accounting:journal.read", "/books/{companyId}/journal-entries/{id}"),
    entry("fixed_asset.create", "fixed asset created", "inmovilizado creado", "fixed_asset", "accounting:fixed_assets.read", "/books/{companyId}/fixed-assets/{id}"),
    entry("fixed_asset.update", "fixed asset updated", "inmovilizado actualizado", "fixed_asset", "accounting:fixed_assets.read", "/books/{companyId}/fixed-assets/{id}"),
    entry("bank_account.create", "bank account created", "cuenta bancaria creada", "bank_account", "treasury:bank_accounts.read", "/treasury/bank-accounts/{id}"),
    entry("bank_account.update", "bank account updated", "cuenta bancaria actualizada", "bank_account", "treasury:bank_accounts.read", "/treasury/bank-accounts/{id}"),
    entry("bank_movement.create", "bank movements imported", "movimientos bancarios importados", "bank_movement_import", "treasury:bank_movements.read", "/treasury/imports/{id}"),
    entry("reconciliation.confirm", "movement reconciled", "movimiento conciliado", "bank_movement", "treasury:reconciliation.read", "/treasury/bank-movements/{id}"),
    entry("tax_return.update", "tax return prepared", "declaración preparada", "tax_return", "tax:returns.read", "/tax/returns/{id}"),
    entry("tax_return.submit", "tax return submitted", "declaración presentada", "tax_return", "tax:returns.read", "/tax/returns/{id}"),
    entry("tax_profile.update", "tax profile updated", "perfil fiscal actualizado", "tax_profile", "tax:profile.read", "/tax/profile"),
    entry("notice.create", "government notice received", "notificación administrativa recibida", "notice", "tax:notices.read", "/tax/notices/{id}"),
    entry("file.create", "file uploaded", "archivo subido", "file", "documents:files.read", "/files/{id}"),
    entry("file.update", "file updated", "archivo actualizado", "file", "documents:files.read", "/files/{id}"),
    entry("file.delete", "file deleted", "archivo eliminado", "file", "documents:files.read", "/files/{id}"),
    entry("data_room_file.create", "file added to the data room", "archivo añadido a la sala de datos", "data_room_file", "documents:data_room.read", "/data-room/files/{id}"),
    entry("envelope.sent", "envelope sent for signature", "sobre enviado a firmar", "envelope", "sign:envelopes.read", "/envelopes/{id}"),
    entry("envelope.completed", "envelope signed by all", "sobre firmado por todos", "envelope", "sign:envelopes.read", "/envelopes/{id}"),
    entry("envelope.declined", "signature declined", "firma rechazada", "envelope", "sign:envelopes.read", "/envelopes/{id}"),
    entry("envelope.voided", "envelope voided", "sobre anulado", "envelope", "sign:envelopes.read", "/envelopes/{id}"),
    entry("envelope.reissued", "envelope reissued", "sobre reemitido", "envelope", "sign:envelopes.read", "/envelopes/{id}"),
    entry("envelope.reassigned", "signer reassigned", "firmante reasignado", "envelope", "sign:envelopes.read", "/envelopes/{id}"),
];

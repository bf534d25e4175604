//! The 44 event types (specification, part 6.8).

use svc_core::event::{EventDeclaration, Member};

use super::permission;

const MERGED_CONTACT: Member = Member::id("merged_id", "con", "The contact that was absorbed.");
const MERGED_ACCOUNT: Member = Member::id("merged_id", "acc", "The account that was absorbed.");
const PAYMENT: Member = Member::id("payment_id", "pay", "The payment that was recorded.");
const REVERSES: Member =
    Member::id("reverses_id", "jen", "The entry that this one reverses, if it reverses one.").sometimes();
const MOVEMENTS: Member = Member::count("movement_count", "How many movements were imported.");
const PREVIOUS: Member = Member::id("previous_id", "env", "The envelope that was reissued.");
const PREVIOUS_SIGNER: Member = Member::id("previous_signer_id", "sgr", "The signer who was replaced.");
const SIGNER: Member = Member::id("signer_id", "sgr", "The signer who took over.");

/// A resource that events are about: its type, the prefix of its ids, who may read it, and where.
struct Object {
    name: &'static str,
    prefix: &'static str,
    permission: &'static str,
    route: &'static str,
}

impl Object {
    const fn event(
        &self,
        name: &'static str,
        english: &'static str,
        spanish: &'static str,
        members: &'static [Member],
    ) -> EventDeclaration {
        EventDeclaration::new(name, self.name)
            .with_ids(self.prefix)
            .described(english)
            .in_spanish(spanish)
            .requiring(permission(self.permission))
            .at(self.route)
            .with(members)
    }
}

const fn object(
    name: &'static str,
    prefix: &'static str,
    permission: &'static str,
    route: &'static str,
) -> Object {
    Object { name, prefix, permission, route }
}

#[rustfmt::skip]
mod objects {
    use super::{Object, object};

    pub(super) const CONTACT: Object = object("contact", "con", "contacts:contacts.read", "/contacts/{id}");
    pub(super) const ACCOUNT: Object = object("account", "acc", "contacts:accounts.read", "/accounts/{id}");
    pub(super) const CASE: Object = object("case", "cas", "crm:cases.read", "/cases/{id}");
    pub(super) const INVOICE: Object = object("invoice", "inv", "sales:invoices.read", "/billing/{id}");
    pub(super) const SUPPLIER_DOCUMENT: Object = object("supplier_document", "sdc", "purchases:documents.read", "/supplier-documents/{id}");
    pub(super) const SUPPLIER: Object = object("supplier", "sup", "purchases:suppliers.read", "/suppliers/{id}");
    pub(super) const JOURNAL_ENTRY: Object = object("journal_entry", "jen", "accounting:journal.read", "/books/{companyId}/journal-entries/{id}");
    pub(super) const FIXED_ASSET: Object = object("fixed_asset", "fas", "accounting:fixed_assets.read", "/books/{companyId}/fixed-assets/{id}");
    pub(super) const BANK_ACCOUNT: Object = object("bank_account", "bka", "treasury:bank_accounts.read", "/treasury/bank-accounts/{id}");
    pub(super) const BANK_MOVEMENT_IMPORT: Object = object("bank_movement_import", "bmi", "treasury:bank_movements.read", "/treasury/imports/{id}");
    pub(super) const BANK_MOVEMENT: Object = object("bank_movement", "bmv", "treasury:reconciliation.read", "/treasury/bank-movements/{id}");
    pub(super) const TAX_RETURN: Object = object("tax_return", "txr", "tax:returns.read", "/tax/returns/{id}");
    pub(super) const TAX_PROFILE: Object = object("tax_profile", "txp", "tax:profile.read", "/tax/profile");
    pub(super) const NOTICE: Object = object("notice", "ntc", "tax:notices.read", "/tax/notices/{id}");
    pub(super) const FILE: Object = object("file", "fil", "documents:files.read", "/files/{id}");
    pub(super) const DATA_ROOM_FILE: Object = object("data_room_file", "drf", "documents:data_room.read", "/data-room/files/{id}");
    pub(super) const ENVELOPE: Object = object("envelope", "env", "sign:envelopes.read", "/envelopes/{id}");
}

/// In the order of the specification.
#[rustfmt::skip]
pub(super) const ALL: &[EventDeclaration] = &[
    objects::CONTACT.event("contact.create", "contact created", "contacto creado", &[]),
    objects::CONTACT.event("contact.update", "contact updated", "contacto actualizado", &[]),
    objects::CONTACT.event("contact.delete", "contact deleted", "contacto eliminado", &[]),
    objects::CONTACT.event("contact.merge", "contacts merged", "contactos fusionados", &[MERGED_CONTACT]),
    objects::ACCOUNT.event("account.create", "account created", "empresa creada", &[]),
    objects::ACCOUNT.event("account.update", "account updated", "empresa actualizada", &[]),
    objects::ACCOUNT.event("account.delete", "account deactivated", "empresa desactivada", &[]),
    objects::ACCOUNT.event("account.merge", "accounts merged", "empresas fusionadas", &[MERGED_ACCOUNT]),
    objects::CASE.event("case.create", "matter opened", "expediente abierto", &[]),
    objects::CASE.event("case.update", "matter updated", "expediente actualizado", &[]),
    objects::INVOICE.event("invoice.create", "sales document created", "documento de venta creado", &[]),
    objects::INVOICE.event("invoice.update", "sales document updated", "documento de venta actualizado", &[]),
    objects::INVOICE.event("invoice.delete", "sales draft deleted", "borrador de venta eliminado", &[]),
    objects::INVOICE.event("invoice.issue", "invoice issued", "factura emitida", &[]),
    objects::INVOICE.event("invoice.send", "invoice emailed", "factura enviada por correo", &[]),
    objects::INVOICE.event("invoice.pay", "payment recorded", "cobro registrado", &[PAYMENT]),
    objects::INVOICE.event("invoice.void", "invoice voided", "factura anulada", &[]),
    objects::SUPPLIER_DOCUMENT.event("supplier_document.create", "expense received", "gasto recibido", &[]),
    objects::SUPPLIER_DOCUMENT.event("supplier_document.update", "expense updated", "gasto actualizado", &[]),
    objects::SUPPLIER.event("supplier.create", "supplier created", "proveedor creado", &[]),
    objects::JOURNAL_ENTRY.event("journal_entry.create", "journal entry created", "asiento creado", &[REVERSES]),
    objects::JOURNAL_ENTRY.event("journal_entry.update", "journal entry updated", "asiento actualizado", &[]),
    objects::JOURNAL_ENTRY.event("journal_entry.post", "journal entry posted", "asiento contabilizado", &[]),
    objects::JOURNAL_ENTRY.event("journal_entry.delete", "journal entry deleted", "asiento eliminado", &[]),
    objects::FIXED_ASSET.event("fixed_asset.create", "fixed asset created", "inmovilizado creado", &[]),
    objects::FIXED_ASSET.event("fixed_asset.update", "fixed asset updated", "inmovilizado actualizado", &[]),
    objects::BANK_ACCOUNT.event("bank_account.create", "bank account created", "cuenta bancaria creada", &[]),
    objects::BANK_ACCOUNT.event("bank_account.update", "bank account updated", "cuenta bancaria actualizada", &[]),
    objects::BANK_MOVEMENT_IMPORT.event("bank_movement.create", "bank movements imported", "movimientos bancarios importados", &[MOVEMENTS]),
    objects::BANK_MOVEMENT.event("reconciliation.confirm", "movement reconciled", "movimiento conciliado", &[]),
    objects::TAX_RETURN.event("tax_return.update", "tax return prepared", "declaración preparada", &[]),
    objects::TAX_RETURN.event("tax_return.submit", "tax return submitted", "declaración presentada", &[]),
    objects::TAX_PROFILE.event("tax_profile.update", "tax profile updated", "perfil fiscal actualizado", &[]),
    objects::NOTICE.event("notice.create", "government notice received", "notificación administrativa recibida", &[]),
    objects::FILE.event("file.create", "file uploaded", "archivo subido", &[]),
    objects::FILE.event("file.update", "file updated", "archivo actualizado", &[]),
    objects::FILE.event("file.delete", "file deleted", "archivo eliminado", &[]),
    objects::DATA_ROOM_FILE.event("data_room_file.create", "file added to the data room", "archivo añadido a la sala de datos", &[]),
    objects::ENVELOPE.event("envelope.sent", "envelope sent for signature", "sobre enviado a firmar", &[]),
    objects::ENVELOPE.event("envelope.completed", "envelope signed by all", "sobre firmado por todos", &[]),
    objects::ENVELOPE.event("envelope.declined", "signature declined", "firma rechazada", &[]),
    objects::ENVELOPE.event("envelope.voided", "envelope voided", "sobre anulado", &[]),
    objects::ENVELOPE.event("envelope.reissued", "envelope reissued", "sobre reemitido", &[PREVIOUS]),
    objects::ENVELOPE.event("envelope.reassigned", "signer reassigned", "firmante reasignado", &[PREVIOUS_SIGNER, SIGNER]),
];

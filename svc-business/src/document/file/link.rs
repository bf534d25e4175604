//! What files belong to.

use svc_core::error::{StoreError, Validator};
use svc_core::id::{
    BankAccountId, BankMovementId, CaseId, ContactId, EnvelopeId, FixedAssetId, IdError, JournalEntryId,
    NoticeId, SalesDocumentId, SupplierDocumentId, SupplierId, TaxReturnId, TypedId as _,
};
use svc_core::resource::{Resource, ResourceReader};
use uuid::Uuid;

use crate::bank::BankAccount;
use crate::bank::movement::BankMovement;
use crate::books::asset::FixedAsset;
use crate::books::entry::Entry;
use crate::case::Case;
use crate::contact::Contact;
use crate::notice::Notice;
use crate::ports::DynDocumentUnit;
use crate::purchases::document::SupplierDocument;
use crate::purchases::supplier::Supplier;
use crate::record::Home;
use crate::sales::document::SalesDocument;
use crate::tax::returns::TaxReturn;

/// Declares the kinds of records that a file may be linked with: each with its id, its name, its type and its store; those
/// that the service alone links files with have no store here.
macro_rules! links {
    (
        of_clients { $($(#[$about:meta])* $kind:ident($id:ty) = $name:literal: $record:ty, $store:ident;)+ }
        of_the_service { $($(#[$own_about:meta])* $own:ident($own_id:ty) = $own_name:literal;)+ }
    ) => {
        /// A record that a file belongs to.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FileLink {
            $($(#[$about])* $kind($id),)+
            $($(#[$own_about])* $own($own_id),)+
        }

        /// What kind of record a file belongs to.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FileLinkType {
            $($(#[$about])* $kind,)+
            $($(#[$own_about])* $own,)+
        }

        svc_core::wire_names!(FileLinkType { $($kind = $name),+, $($own = $own_name),+ });

        impl FileLink {
            /// The record of this kind with this id.
            #[must_use]
            pub fn of(kind: FileLinkType, id: Uuid) -> Self {
                match kind {
                    $(FileLinkType::$kind => Self::$kind(<$id>::from_uuid(id)),)+
                    $(FileLinkType::$own => Self::$own(<$own_id>::from_uuid(id)),)+
                }
            }

            /// The record of this kind that a text names.
            ///
            /// # Errors
            /// [`IdError`] for an id of another kind, and for none.
            pub fn parse(kind: FileLinkType, id: &str) -> Result<Self, IdError> {
                match kind {
                    $(FileLinkType::$kind => id.parse().map(Self::$kind),)+
                    $(FileLinkType::$own => id.parse().map(Self::$own),)+
                }
            }

            /// What kind of record it is.
            #[must_use]
            pub const fn kind(&self) -> FileLinkType {
                match self {
                    $(Self::$kind(_) => FileLinkType::$kind,)+
                    $(Self::$own(_) => FileLinkType::$own,)+
                }
            }

            /// Its id.
            #[must_use]
            pub fn uuid(&self) -> Uuid {
                match self {
                    $(Self::$kind(id) => id.uuid(),)+
                    $(Self::$own(id) => id.uuid(),)+
                }
            }

            /// Its id as a text.
            #[must_use]
            pub fn id(&self) -> String {
                match self {
                    $(Self::$kind(id) => id.to_string(),)+
                    $(Self::$own(id) => id.to_string(),)+
                }
            }

            /// Whether the service alone makes and unmakes such a link.
            const fn is_own(&self) -> bool {
                match self {
                    $(Self::$kind(_) => false,)+
                    $(Self::$own(_) => true,)+
                }
            }
        }

        /// Those among these links whose records the company has; no other unit of work ends these meanwhile.
        async fn known(
            home: &Home<'_, DynDocumentUnit>,
            links: &[FileLink],
        ) -> Result<Vec<FileLink>, StoreError> {
            let mut known = Vec::new();
            $({
                let id = |link: &FileLink| if let FileLink::$kind(id) = link { Some(*id) } else { None };
                let ids: Vec<_> = links.iter().filter_map(id).collect();
                let store: &dyn ResourceReader<$record> = home.unit.$store();
                let found = home.referred::<$record>(store, &ids).await?;
                known.extend(found.iter().map(|record| FileLink::$kind(record.id())));
            })+
            Ok(known)
        }
    };
}

links! {
    of_clients {
        /// `contact`
        Contact(ContactId) = "contact": Contact, contacts;
        /// `case`
        Case(CaseId) = "case": Case, cases;
        /// `invoice`: any sales document
        Invoice(SalesDocumentId) = "invoice": SalesDocument, sales;
        /// `supplier`
        Supplier(SupplierId) = "supplier": Supplier, suppliers;
        /// `supplier_document`
        SupplierDocument(SupplierDocumentId) = "supplier_document": SupplierDocument, supplier_documents;
        /// `journal_entry`
        JournalEntry(JournalEntryId) = "journal_entry": Entry, journal;
        /// `fixed_asset`
        FixedAsset(FixedAssetId) = "fixed_asset": FixedAsset, fixed_assets;
        /// `bank_account`
        BankAccount(BankAccountId) = "bank_account": BankAccount, bank_accounts;
        /// `bank_movement`
        BankMovement(BankMovementId) = "bank_movement": BankMovement, bank_movements;
        /// `notice`
        Notice(NoticeId) = "notice": Notice, notices;
        /// `tax_return`
        TaxReturn(TaxReturnId) = "tax_return": TaxReturn, tax_returns;
    }
    of_the_service {
        /// `envelope`: what signing came to is linked with it for good
        Envelope(EnvelopeId) = "envelope";
    }
}

/// Those among the links of a file that the service makes whose records are there.
pub(super) async fn present(
    home: &Home<'_, DynDocumentUnit>,
    links: &[FileLink],
) -> Result<Vec<FileLink>, StoreError> {
    let known = known(home, links).await?;
    Ok(links.iter().copied().filter(|link| link.is_own() || known.contains(link)).collect())
}

/// Judges links that a client gives a file, of which `before` has some already.
pub(super) async fn judge(
    validator: &mut Validator,
    home: &Home<'_, DynDocumentUnit>,
    before: &[FileLink],
    after: &[FileLink],
) -> Result<(), StoreError> {
    let new: Vec<_> = after.iter().copied().filter(|link| !before.contains(link)).collect();
    let known = known(home, &new).await?;
    let is_kept = before.iter().filter(|link| link.is_own()).all(|link| after.contains(link));
    let message = "what an envelope came to stays linked with it";
    validator.require(is_kept, "links", "not_allowed", message);
    for (at, link) in after.iter().enumerate() {
        if new.contains(link) && link.is_own() {
            let message = "the service alone links files with envelopes";
            validator.fail(format!("links[{at}].id"), "not_allowed", message);
        } else if new.contains(link) && !known.contains(link) {
            let message = format!("no {} of the company has this id", link.kind());
            validator.fail(format!("links[{at}].id"), "unknown_reference", message);
        }
    }
    Ok(())
}

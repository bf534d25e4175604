//! The ports of each area, and the list that composes them.
//!
//! [`business_areas!`](crate::business_areas) is the one list: an area names what it reads and what it changes
//! within a unit of work. From it come the traits below, and every storage implements them by the same list.
//! A unit of an area is a unit of each area below it, so a use case may call those of the areas below.

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::unit::UnitOfWork;

/// Calls the macro `$with` with every area, lowest first: its storage and its unit of work, those of the area
/// below, and its ports, each with the trait that reads and the trait that changes.
#[macro_export]
macro_rules! business_areas {
    ($with:ident) => {
        $with! {
            /// Companies, their groups and their people, and what is done for them later.
            AccountStorage / AccountUnit: {
                accounts: $crate::account::AccountReader => $crate::account::AccountStore,
                groups: $crate::group::GroupReader => $crate::group::GroupStore,
                people: $crate::membership::PeopleReader => $crate::membership::PeopleStore,
                jobs: $crate::job::JobReader => $crate::job::JobStore,
            }
            /// The persons and organisations that companies deal with.
            ContactStorage / ContactUnit: AccountStorage / AccountUnit {
                contacts: $crate::contact::ContactReader => $crate::contact::ContactStore,
            }
            /// What companies work on for their contacts.
            CaseStorage / CaseUnit: ContactStorage / ContactUnit {
                cases: $crate::case::CaseReader => $crate::case::CaseStore,
            }
            /// What public bodies notify companies of.
            NoticeStorage / NoticeUnit: CaseStorage / CaseUnit {
                notices: $crate::notice::NoticeReader => $crate::notice::NoticeStore,
            }
            /// What people are asked to sign.
            EnvelopeStorage / EnvelopeUnit: CaseStorage / CaseUnit {
                envelopes: $crate::signature::EnvelopeReader => $crate::signature::EnvelopeStore,
            }
            /// The accounting of companies.
            BooksStorage / BooksUnit: ContactStorage / ContactUnit {
                books: $crate::books::BookReader => $crate::books::BookStore,
                ledger: $crate::books::LedgerReader => $crate::books::LedgerStore,
                fiscal_years: $crate::books::FiscalYearReader => $crate::books::FiscalYearStore,
                journal: $crate::books::JournalReader => $crate::books::JournalStore,
                fixed_assets: $crate::books::FixedAssetReader => $crate::books::FixedAssetStore,
            }
            /// The taxes of companies.
            TaxStorage / TaxUnit: BooksStorage / BooksUnit {
                tax_profiles: $crate::tax::TaxProfileReader => $crate::tax::TaxProfileStore,
                tax_returns: $crate::tax::returns::TaxReturnReader => $crate::tax::returns::TaxReturnStore,
            }
            /// Where companies have their money.
            BankStorage / BankUnit: TaxStorage / TaxUnit {
                bank_accounts: $crate::bank::BankAccountReader => $crate::bank::BankAccountStore,
                bank_imports: $crate::bank::import::BankMovementImportReader => $crate::bank::import::BankMovementImportStore,
                bank_movements: $crate::bank::import::BankMovementReader => $crate::bank::import::BankMovementStore,
            }
            /// What companies sell.
            SalesStorage / SalesUnit: BankStorage / BankUnit {
                sales: $crate::sales::SalesReader => $crate::sales::SalesStore,
                series: $crate::sales::SeriesReader => $crate::sales::SeriesStore,
            }
            /// What companies buy.
            PurchaseStorage / PurchaseUnit: BankStorage / BankUnit {
                suppliers: $crate::purchases::SupplierReader => $crate::purchases::SupplierStore,
                supplier_documents: $crate::purchases::SupplierDocumentReader => $crate::purchases::SupplierDocumentStore,
            }
            /// What companies keep of files.
            FileStorage / FileUnit: NoticeStorage / NoticeUnit {
                files: $crate::document::file::FileReader => $crate::document::file::FileStore,
                folders: $crate::document::folder::FolderReader => $crate::document::folder::FolderStore,
                data_room: $crate::document::room::DataRoomReader => $crate::document::room::DataRoomStore,
                data_room_grants: $crate::document::room::DataRoomGrantReader => $crate::document::room::DataRoomGrantStore,
            }
        }
    };
}

macro_rules! define {
    ($(
        $(#[$about:meta])*
        $storage:ident / $unit:ident: $($storage_below:ident / $unit_below:ident)? {
            $($port:ident: $reader:path => $store:path,)+
        }
    )+) => {$(
        $(#[$about])*
        ///
        /// What it reads is committed.
        pub trait $storage: $($storage_below +)? Send + Sync {$(
            #[doc = concat!("Reads ", stringify!($port), ".")]
            fn $port(&self) -> &dyn $reader;
        )+}

        $(#[$about])*
        ///
        /// Changed within one unit of work.
        pub trait $unit: $($unit_below +)? UnitOfWork {$(
            #[doc = concat!("Changes ", stringify!($port), " within this unit.")]
            fn $port(&self) -> &dyn $store;
        )+}
    )+};
}
business_areas!(define);

/// Any unit of work on companies, their groups and their people, and on jobs.
pub type DynAccountUnit = dyn AccountUnit;
/// Any unit of work on contacts.
pub type DynContactUnit = dyn ContactUnit;

/// Any unit of work on cases.
pub type DynCaseUnit = dyn CaseUnit;
/// Any unit of work on what public bodies notify companies of.
pub type DynNoticeUnit = dyn NoticeUnit;
/// Any unit of work on the accounting of companies.
pub type DynBooksUnit = dyn BooksUnit;
/// Any unit of work on the taxes of companies.
pub type DynTaxUnit = dyn TaxUnit;
/// Any unit of work on where companies have their money.
pub type DynBankUnit = dyn BankUnit;
/// Any unit of work on what companies sell.
pub type DynSalesUnit = dyn SalesUnit;
/// Any unit of work on what companies buy.
pub type DynPurchaseUnit = dyn PurchaseUnit;

/// A unit of work on what stands against what: documents, and the money that paid them.
pub trait TreasuryUnit: SalesUnit + PurchaseUnit {}

impl<U: SalesUnit + PurchaseUnit + ?Sized> TreasuryUnit for U {}

/// Any unit of work on what stands against what.
pub type DynTreasuryUnit = dyn TreasuryUnit;

/// A unit of work on files, and on what they may be linked with.
pub trait DocumentUnit: FileUnit + TreasuryUnit {}

impl<U: FileUnit + TreasuryUnit + ?Sized> DocumentUnit for U {}

/// Any unit of work on files, and on what they may be linked with.
pub type DynDocumentUnit = dyn DocumentUnit;

/// A unit of work on what people are asked to sign, and on what that belongs to.
pub trait SignatureUnit: EnvelopeUnit + SalesUnit {}

impl<U: EnvelopeUnit + SalesUnit + ?Sized> SignatureUnit for U {}

/// Any unit of work on what people are asked to sign.
pub type DynSignatureUnit = dyn SignatureUnit;

/// A unit of work on business data of every area.
pub trait BusinessUnit: NoticeUnit + TreasuryUnit + DocumentUnit + SignatureUnit {}

impl<U: NoticeUnit + TreasuryUnit + DocumentUnit + SignatureUnit + ?Sized> BusinessUnit for U {}

/// Any unit of work on business data of every area.
pub type DynBusinessUnit = dyn BusinessUnit;

/// Where business data is kept.
///
/// # Implementing this port
/// The contract suite is `svc_testkit::business_storage_contract!`.
#[async_trait]
pub trait BusinessStorage:
    NoticeStorage + EnvelopeStorage + SalesStorage + PurchaseStorage + FileStorage
{
    /// Opens a unit of work.
    async fn begin(&self) -> Result<Box<dyn BusinessUnit>, StoreError>;
}

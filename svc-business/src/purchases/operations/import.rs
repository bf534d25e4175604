//! Writing down an electronic invoice.

use svc_core::patch::Patch;
use svc_core::refused::Refused;

use super::document::{blank, setting};
use super::reference::judge_duplicate;
use super::supplier::{contacts, create as create_supplier};
use super::{PurchaseRefused, SupplierRefused};
use crate::contact;
use crate::ports::DynPurchaseUnit;
use crate::purchases::document::{Origin, SupplierDocument};
use crate::purchases::import::{Imported, ImportedInvoice, ImportedSeller, NoSupplier, Warning};
use crate::purchases::supplier::{Supplier, SupplierInput};
use crate::record::Home;

/// How an invoice is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportRequest {
    /// Whether it may share its supplier, number and year with another document.
    pub allow_duplicate: bool,
    /// Whether a seller whom no supplier is becomes one.
    pub add_supplier: bool,
}

/// Writes down an electronic invoice as a received document, of the supplier with the tax id of its seller. Emits
/// `supplier_document.create`, and what making a supplier emits.
///
/// # Errors
/// [`Refused`] with [`PurchaseRefused`]; nothing was added.
pub async fn import(
    home: &Home<'_, DynPurchaseUnit>,
    invoice: &ImportedInvoice,
    request: ImportRequest,
) -> Result<Imported, Refused<PurchaseRefused>> {
    let mut warnings = Vec::new();
    let supplier = match supplier(home, &invoice.seller, request.add_supplier).await? {
        Ok(supplier) => Some(supplier),
        Err(why) => {
            warnings.push(Warning::NoSupplier(why));
            None
        }
    };
    let setting = setting(home, supplier.as_ref(), true);
    let base = SupplierDocument {
        supplier: supplier.map(|supplier| supplier.id),
        shares_number: request.allow_duplicate,
        ..blank(home, Origin::Xml)
    };
    let read = invoice.document(base, &setting)?;
    judge_duplicate(home, None, &read.document).await?;
    let document = home.add(read.document).await?;
    warnings.extend(read.warnings);
    Ok(Imported { document, warnings })
}

/// The supplier that the seller is, or why there is none.
async fn supplier(
    home: &Home<'_, DynPurchaseUnit>,
    seller: &ImportedSeller,
    add: bool,
) -> Result<Result<Supplier, NoSupplier>, Refused<PurchaseRefused>> {
    if seller.tax_id.is_none() {
        return Ok(Err(NoSupplier::NoTaxId));
    }
    if !home.call.access.is_full() {
        return Ok(Err(NoSupplier::Masked));
    }
    let contact = match contact::described(&contacts(home), seller.contact()).await {
        Ok(contact) => contact,
        Err(Refused::Invalid(invalid)) => return Ok(Err(NoSupplier::Unusable(invalid))),
        Err(refused) => return Err(refused.map(|never| match never {})),
    };
    let suppliers = home.unit.suppliers();
    let known = match contact {
        Some(contact) => suppliers.of_contact(home.company.id, contact).await?,
        None => None,
    };
    let found =
        async |id| Ok(home.referred::<Supplier>(suppliers, &[id]).await?.pop().ok_or(NoSupplier::Unknown));
    if let Some(id) = known {
        return found(id).await;
    }
    if !add {
        return Ok(Err(NoSupplier::Unknown));
    }
    let input = SupplierInput { party: Patch::Value(seller.contact()), ..SupplierInput::default() };
    match create_supplier(home, &input).await {
        Ok(supplier) => Ok(Ok(supplier)),
        // Another import from the same seller came first.
        Err(Refused::Own(SupplierRefused::Exists { existing })) => found(existing).await,
        Err(Refused::Invalid(invalid)) => Ok(Err(NoSupplier::Unusable(invalid))),
        Err(refused) => Err(refused.map(PurchaseRefused::from)),
    }
}

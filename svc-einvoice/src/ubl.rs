//! UBL 2.1, as EN 16931 binds it (CEN/TS 16931-3-2).
//!
//! [`write()`](write()) makes an `Invoice`, or a `CreditNote` of type 381 for a corrective invoice whose differences take
//! something back; [`read`](read()) takes both. Files conform to the core standard (BT-24 is
//! `urn:cen.eu:en16931:2017`), without elements that it does not have. What it lacks is expressed so that its rules
//! hold, and is read back:
//!
//! | In the model | In UBL |
//! |---|---|
//! | a corrective invoice | 381 with positive amounts when its differences sum below zero, else 384; its reason is a note with the subject code `REG` |
//! | a simplified invoice | 380, with a note `REG`; a buyer must be known |
//! | a proforma invoice | 325; a quote has no place |
//! | the equivalence surcharge | one rate with the tax, 26.2 for 21 and 5.2, so that base, tax and total are those of the document; the attribute of the item `Recargo de equivalencia` (BT-160) tells the part of it |
//! | withholdings | a part of what is paid already (BT-113), so that the amount due (BT-115) is what the buyer transfers; a note `TXD` for each rate, and the attribute `Retención IRPF` of the items |
//! | the rate of exchange | a note `TXD`; the tax in the other currency is BT-111 |
//! | the address of the QR code | the external location of a supporting document named `VERI*FACTU` (BT-124) |
//! | the language | is not told |

mod read;
mod write;

pub use self::read::read;
pub(crate) use self::read::{from_tree, is_root};
pub use self::write::write;

/// The name of the supporting document whose location is behind the QR code (BT-122).
pub(crate) const VERIFACTU: &str = "VERI*FACTU";
/// Attributes of items (BT-160): percent of the price that is surcharge, and that is withheld.
pub(crate) const SURCHARGE: &str = "Recargo de equivalencia";
pub(crate) const WITHHOLDING: &str = "Retención IRPF";

//! Facturae 3.2.2, the Spanish format for public bodies (Orden HAP/1650/2015), without its signature.
//!
//! [`write()`] makes an unsigned file of one invoice; [`read`] takes 3.2, 3.2.1 and 3.2.2 and ignores the signature.
//! What the format has no element for is expressed as follows, and is read back:
//!
//! | In the model | In Facturae |
//! |---|---|
//! | a corrective invoice | class `OR`; reason 80 (R1), 85 (R2, R3) or 16 (R4, R5), and the code of the reason before its text |
//! | invoices that it corrects after the first | a line `Rectifica también: …` of the additional information |
//! | why no tax is charged | the special taxable event of each line, its VATEX code first; reverse charge has none and says so in the additional information of the line |
//! | IGIC and IPSI | taxes of type 03 and 02; all else is type 01 |
//! | a price for several units | the price of one, of at most 8 digits after the point |
//! | units of measure beyond its 36 | 05, others |
//! | the address of the QR code | a line `VERI*FACTU: …` of the additional information |
//! | where to and when it was delivered, the second line of an address | is not told |
//!
//! Names, addresses and descriptions that are too long are cut to what the schema takes. Numbers and references are
//! not: that is an error.

mod codes;
mod read;
mod write;

pub use self::read::read;
pub(crate) use self::read::{from_tree, is_root};
pub use self::write::write;

/// How lines of the additional information begin that carry something else.
const ALSO_CORRECTS: &str = "Rectifica también: ";
const VERIFACTU: &str = "VERI*FACTU: ";

//! The models of returns.

use svc_core::wire_names;

/// A model of return of the Spanish tax agency (AEAT).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Model {
    /// Withholdings on work and economic activities: `111`
    M111,
    /// Withholdings on rents of urban property: `115`
    M115,
    /// Income tax of the self-employed, instalment: `130`
    M130,
    /// The year of 115, by landlord: `180`
    M180,
    /// The year of 111, by recipient: `190`
    M190,
    /// Corporate tax: `200`
    M200,
    /// VAT: `303`
    M303,
    /// Operations with third parties: `347`
    M347,
    /// Operations within the European Union: `349`
    M349,
    /// The year of 303: `390`
    M390,
}

wire_names!(Model {
    M111 = "111",
    M115 = "115",
    M130 = "130",
    M180 = "180",
    M190 = "190",
    M200 = "200",
    M303 = "303",
    M347 = "347",
    M349 = "349",
    M390 = "390",
});

//! The address that the QR code of an invoice leads to (Orden HAC/1177/2024 art. 20 and 21).

use std::fmt::Write as _;

use svc_core::pii::{Mask, Pii};

use super::Registration;
use super::record::day;
use crate::party::value;

/// The address behind a QR code. It has the tax id of the company in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QrUrl(String);

impl Mask for QrUrl {
    type View = String;

    fn masked(&self) -> Option<String> {
        None
    }

    fn full(&self) -> String {
        self.0.clone()
    }
}

/// Which system of the tax office is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QrHost {
    /// The one that counts.
    Production,
    /// The one for tests.
    Test,
}

/// Whether the tax office gets the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QrMode {
    /// It gets them as they are made, so that who scans the code learns whether it has this one.
    Verifiable,
    /// It does not: who scans the code reports the invoice.
    NotVerifiable,
}

/// The address behind the QR code of a registered document.
#[must_use]
pub fn qr_url(registration: &Registration, mode: QrMode, host: QrHost) -> Pii<QrUrl> {
    let host = match host {
        QrHost::Production => "www2.agenciatributaria.gob.es",
        QrHost::Test => "prewww2.aeat.es",
    };
    let page = match mode {
        QrMode::Verifiable => "ValidarQR",
        QrMode::NotVerifiable => "ValidarQRNoVerifactu",
    };
    let Registration { issuer, number, date, total, .. } = registration;
    let (nif, number, date) = (encoded(value(issuer).as_str()), encoded(number.as_str()), day(*date));
    Pii::new(QrUrl(format!(
        "https://{host}/wlpl/TIKE-CONT/{page}?nif={nif}&numserie={number}&fecha={date}&importe={total}"
    )))
}

/// Percent-encodes what is not unreserved (RFC 3986 section 2.3).
fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            encoded.push(char::from(byte));
        } else {
            // Writing into a string does not fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
        encoded
    })
}

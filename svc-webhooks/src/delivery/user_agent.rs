//! Who calls: the `User-Agent` of notifications (RFC 9110, section 10.1.5).

use std::fmt;
use std::str::FromStr;

use svc_core::short_text::ShortText;
use thiserror::Error;

/// Characters of the longest product.
const MOST: usize = 64;

/// The program that sends: a name, or a name, `/` and a version. `Shop-Webhooks/2.1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Product(ShortText<MOST>);

/// The text is no product of a `User-Agent`.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "not a product: expected a name, or a name, `/` and a version, of at most {MOST} token characters (RFC 9110)"
)]
pub struct MalformedProduct;

/// What notifications say of their sender: the product, and where to read of it.
///
/// ```
/// use svc_webhooks::delivery::{Product, UserAgent};
///
/// const SHOP: Product = Product::of("Shop-Webhooks/2.1");
/// let user_agent = UserAgent::new(SHOP, "https://shop.example");
/// assert_eq!(user_agent.as_str(), "Shop-Webhooks/2.1 (+https://shop.example)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserAgent {
    product: Product,
    address: String,
    /// Put together once.
    text: String,
}

impl Product {
    /// `SVC-Webhooks/1.0`
    pub const STANDARD: Self = Self::of("SVC-Webhooks/1.0");

    /// This product; a constant of it is checked at compile time.
    ///
    /// ```compile_fail,E0080
    /// # use svc_webhooks::delivery::Product;
    /// const SHOP: Product = Product::of("My Shop/1.0");
    /// ```
    ///
    /// # Panics
    /// When the text is no product.
    #[must_use]
    pub const fn of(text: &'static str) -> Self {
        match Self::parse(text) {
            Some(product) => product,
            None => panic!("a product is a token, or two with / between them, of at most 64 characters"),
        }
    }

    #[expect(clippy::indexing_slicing, reason = "const code has no iterators; the bound is checked")]
    const fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let (mut named, mut length, mut at) = (false, 0, 0);
        while at < bytes.len() {
            match bytes[at] {
                b'/' if !named && length > 0 => (named, length) = (true, 0),
                byte if is_token(byte) => length += 1,
                _ => return None,
            }
            at += 1;
        }
        match ShortText::new(text) {
            Some(text) if length > 0 => Some(Self(text)),
            Some(_) | None => None,
        }
    }
}

/// Whether the byte is a `tchar` (RFC 9110, section 5.6.2).
const fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'!' | b'#'
                | b'$'
                | b'%'
                | b'&'
                | b'\''
                | b'*'
                | b'+'
                | b'-'
                | b'.'
                | b'^'
                | b'_'
                | b'`'
                | b'|'
                | b'~'
        )
}

impl UserAgent {
    /// This product with an address for people; an empty address is left out.
    pub fn new(product: Product, address: impl Into<String>) -> Self {
        let address = address.into();
        let text = if address.is_empty() { product.to_string() } else { format!("{product} (+{address})") };
        Self { product, address, text }
    }

    /// The same address, and another product.
    #[must_use]
    pub fn with_product(self, product: Product) -> Self {
        Self::new(product, self.address)
    }

    /// The same product, and another address.
    #[must_use]
    pub fn with_address(self, address: impl Into<String>) -> Self {
        Self::new(self.product, address)
    }

    /// The value of the header.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for Product {
    type Err = MalformedProduct;

    fn from_str(text: &str) -> Result<Self, MalformedProduct> {
        Self::parse(text).ok_or(MalformedProduct)
    }
}

impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

impl fmt::Debug for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_one_token_or_two() {
        for good in ["Shop", "SVC-Webhooks/1.0", "a!#$%&'*+-.^_`|~/2", &"a".repeat(MOST)] {
            assert_eq!(good.parse::<Product>().map(|product| product.to_string()), Ok(good.to_owned()));
        }
        for bad in [
            "",
            "/",
            "Shop/",
            "/1",
            "a/b/c",
            "My Shop",
            "Shop (x)",
            "Sh\u{f6}p",
            "a\r\nb",
            &"a".repeat(MOST + 1),
        ] {
            assert_eq!(bad.parse::<Product>(), Err(MalformedProduct), "{bad:?}");
        }
    }

    #[test]
    fn product_and_address_are_chosen_one_by_one() {
        let standard = UserAgent::new(Product::STANDARD, "https://svc.example");
        assert_eq!(standard.as_str(), "SVC-Webhooks/1.0 (+https://svc.example)");
        let own = standard.with_product(Product::of("Shop/2")).with_address("mailto:it@shop.example");
        assert_eq!(own.as_str(), "Shop/2 (+mailto:it@shop.example)");
        assert_eq!(own.with_address("").as_str(), "Shop/2");
    }
}

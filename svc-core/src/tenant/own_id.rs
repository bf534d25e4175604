//! Tenants with ids of a service's own.
//!
//! Everything inside works with an [`AccountId`]. A service whose tenants are called otherwise (a number, a name, a
//! UUID of its own) gives their text: the account is derived from it, always the same one, and receivers read the
//! text.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};
use thiserror::Error;
use uuid::{Builder, Uuid};

use crate::id::{AccountId, TypedId};

/// What is hashed before the text: nothing else here is hashed to an id.
const DOMAIN: &[u8] = b"svc/tenant/v1\0";
/// The version of a UUID that its application derives by rules of its own (RFC 9562, section 5.8).
const DERIVED: usize = 8;

/// Whom an event belongs to: a company of the platform, or a tenant that a service calls by an id of its own.
///
/// ```
/// use svc_core::tenant::Tenant;
///
/// let tenant = Tenant::named("customer-42")?;
/// assert_eq!(tenant.to_string(), "customer-42"); // what receivers read
/// assert_eq!(tenant.account(), Tenant::named("customer-42")?.account()); // what subscriptions belong to
/// # Ok::<(), svc_core::tenant::MalformedTenant>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Tenant {
    account: AccountId,
    /// The text that the account was derived from.
    name: Option<Arc<str>>,
}

/// The text cannot be the id of a tenant.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "not the id of a tenant: expected 1 to {} visible ASCII characters that are no account id",
    Tenant::MOST
)]
pub struct MalformedTenant;

impl Tenant {
    /// Characters of the longest id.
    pub const MOST: usize = 128;

    /// The tenant with this id: 1 to [`Tenant::MOST`] visible ASCII characters, as a header has it too.
    ///
    /// Its account is a UUID of version 8, made of the first bits of the text's SHA-256: no text can be found
    /// that has the account of another one, as long as 122 bits are out of reach.
    ///
    /// # Errors
    /// [`MalformedTenant`]; also for the text of an account, which could be that of another tenant.
    pub fn named(id: impl fmt::Display) -> Result<Self, MalformedTenant> {
        let text = id.to_string();
        let sound =
            (1..=Self::MOST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if !sound || text.parse::<AccountId>().is_ok() {
            return Err(MalformedTenant);
        }
        Ok(Self { account: derived(&text), name: Some(text.into()) })
    }

    /// What its subscriptions, deliveries and limits belong to.
    #[must_use]
    pub const fn account(&self) -> AccountId {
        self.account
    }

    /// Whether an account may be one that was derived from a text.
    pub(crate) fn may_be_named(account: AccountId) -> bool {
        account.uuid().get_version_num() == DERIVED
    }
}

fn derived(text: &str) -> AccountId {
    let digest = Sha256::new().chain_update(DOMAIN).chain_update(text).finalize();
    let (first, _) = digest.split_at(size_of::<Uuid>());
    let bytes = first.try_into().expect("SHA-256 has more bytes than a UUID");
    AccountId::from_uuid(Builder::from_custom_bytes(bytes).into_uuid())
}

impl From<AccountId> for Tenant {
    fn from(account: AccountId) -> Self {
        Self { account, name: None }
    }
}

impl PartialEq<AccountId> for Tenant {
    fn eq(&self, other: &AccountId) -> bool {
        self.account == *other
    }
}

/// As the body of an event has it: an account, or an id of a service's own.
impl FromStr for Tenant {
    type Err = MalformedTenant;

    fn from_str(text: &str) -> Result<Self, MalformedTenant> {
        text.parse::<AccountId>().map_or_else(|_| Self::named(text), |account| Ok(account.into()))
    }
}

impl fmt::Display for Tenant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => f.write_str(name),
            None => self.account.fmt(f),
        }
    }
}

impl fmt::Debug for Tenant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Tenant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Tenant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<'de, str>::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_account_of_a_text_is_fixed_for_good() {
        // Computed with Python's hashlib and uuid.
        let expected = Uuid::from_u128(0xd922_f228_8264_88ba_a98f_e1e0_7dd2_f883);
        let tenant = Tenant::named("customer-42").expect("a tenant");
        assert_eq!(tenant.account().uuid(), expected);
        assert!(Tenant::may_be_named(tenant.account()));
    }

    #[test]
    fn an_own_id_is_visible_text_of_bounded_length() {
        for good in ["7", "customer-42", "acc_42", "urn:x/1?a=b", &"x".repeat(Tenant::MOST)] {
            assert_eq!(Tenant::named(good).map(|tenant| tenant.to_string()), Ok(good.to_owned()));
        }
        for bad in ["", "a b", "a\nb", "\u{7f}", "M\u{fc}ller", &"x".repeat(Tenant::MOST + 1)] {
            assert_eq!(Tenant::named(bad), Err(MalformedTenant), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn no_own_id_is_taken_for_the_account_of_another_tenant(text in "[!-~]{1,128}") {
            let tenant = Tenant::named(&text).expect("a tenant");
            prop_assert_eq!(text.parse::<Tenant>(), Ok(tenant.clone()));
            // A tenant that may choose its id must not get at the events of `text` by taking that account for it.
            let account = tenant.account();
            prop_assert_eq!(Tenant::named(account), Err(MalformedTenant));
            let read: Tenant = account.to_string().parse().expect("an account");
            prop_assert_eq!(&read, &Tenant::from(account));
            prop_assert!(read == account && tenant == account);
            let longer = Tenant::named(format!("{text}x")).ok();
            prop_assert!(longer.is_none_or(|other| other.account() != account));
        }
    }
}

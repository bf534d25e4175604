//! Argon2id (RFC 9106) with its parameters.

use argon2::password_hash::{Error, phc};
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use thiserror::Error as ThisError;

use crate::ports::{HasherError, Salt};
use crate::session::{PasswordHash, PasswordText};

/// Bytes of a hash.
const LENGTH: usize = 32;

/// What a hash costs. The default is the one that OWASP's Password Storage
/// Cheat Sheet recommends: 19 MiB of memory, 2 iterations, 1 lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argon2id(Params);

/// Argon2id has no such parameters.
#[derive(Clone, Copy, Debug, ThisError, PartialEq, Eq)]
#[error("argon2id takes at least 1 iteration, 1 lane, and 8 KiB of memory for each lane")]
pub struct ParametersError;

impl Default for Argon2id {
    fn default() -> Self {
        Self::new(19 * 1024, 2, 1).expect("the recommended parameters are valid")
    }
}

impl Argon2id {
    /// Parameters other than the recommended ones.
    ///
    /// # Errors
    /// [`ParametersError`] below the smallest parameters of argon2id.
    pub fn new(memory_kib: u32, iterations: u32, lanes: u32) -> Result<Self, ParametersError> {
        // argon2 multiplies the lanes by 8 unchecked.
        if lanes > Params::MAX_P_COST {
            return Err(ParametersError);
        }
        Params::new(memory_kib, iterations, lanes, Some(LENGTH)).map(Self).map_err(|_| ParametersError)
    }

    /// Hashes a password. Blocks for as long as the parameters say: see [`crate::ports::PasswordHasher`].
    ///
    /// # Errors
    /// [`HasherError::Failed`] when there is no memory for it.
    pub fn hash(&self, password: &PasswordText, salt: Salt) -> Result<PasswordHash, HasherError> {
        let hash: phc::PasswordHash = self
            .context()
            .hash_password_with_salt(password.expose().as_bytes(), &salt.0)
            .map_err(|_| HasherError::Failed)?;
        Ok(PasswordHash::from_stored(hash.to_string()))
    }

    /// Whether the hash is of this password, by the parameters that the hash names. Blocks as [`Self::hash`].
    ///
    /// # Errors
    /// [`HasherError::Failed`] when there is no memory for it, [`HasherError::Unreadable`] when the stored text is not a
    /// hash.
    pub fn verify(&self, password: &PasswordText, hash: &PasswordHash) -> Result<bool, HasherError> {
        let parsed = phc::PasswordHash::new(hash.as_str()).map_err(|_| HasherError::Unreadable)?;
        if parsed.salt.is_none() || parsed.hash.is_none() {
            return Err(HasherError::Unreadable);
        }
        match self.context().verify_password(password.expose().as_bytes(), &parsed) {
            Ok(()) => Ok(true),
            Err(Error::PasswordInvalid) => Ok(false),
            Err(Error::OutOfMemory | Error::Crypto | Error::Internal | Error::RngFailure) => {
                Err(HasherError::Failed)
            }
            Err(_) => Err(HasherError::Unreadable),
        }
    }

    /// A hash that no password has, and that costs as much to compare with as a
    /// new one: for people who do not exist or have no password.
    #[must_use]
    pub fn decoy(&self) -> PasswordHash {
        let hash = phc::PasswordHash {
            algorithm: Algorithm::Argon2id.ident(),
            version: Some(Version::V0x13.into()),
            params: phc::ParamsString::try_from(&self.0).expect("parameters have a text form"),
            salt: Some(phc::Salt::new(&[0; 16]).expect("16 bytes are a salt")),
            hash: Some(phc::Output::new(&[0; LENGTH]).expect("32 bytes are a hash")),
        };
        PasswordHash::from_stored(hash.to_string())
    }

    /// Whether a stored hash is weaker than a new one would be: in memory, iterations, length or kind.
    #[must_use]
    pub fn outdoes(&self, hash: &PasswordHash) -> bool {
        let Ok(parsed) = phc::PasswordHash::new(hash.as_str()) else { return true };
        let Ok(stored) = Params::try_from(&parsed) else { return true };
        parsed.algorithm != Algorithm::Argon2id.ident()
            || parsed.version != Some(Version::V0x13.into())
            || stored.m_cost() < self.0.m_cost()
            || stored.t_cost() < self.0.t_cost()
            || parsed.hash.is_none_or(|output| output.len() < LENGTH)
    }

    fn context(&self) -> Argon2<'static> {
        Argon2::new(Algorithm::Argon2id, Version::V0x13, self.0.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SALT: Salt = Salt(*b"0123456789abcdef");

    fn cheap() -> Argon2id {
        Argon2id::new(16, 2, 1).expect("valid")
    }

    #[test]
    fn a_hash_of_the_reference_implementation_is_understood() {
        // https://github.com/P-H-C/phc-winner-argon2/blob/master/src/test.c
        let hash = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
        let hash = PasswordHash::from_stored(hash.to_owned());
        assert_eq!(cheap().verify(&PasswordText::new("password"), &hash), Ok(true));
        assert_eq!(cheap().verify(&PasswordText::new("Password"), &hash), Ok(false));
    }

    #[test]
    fn a_hash_names_its_parameters_and_is_found_again_under_any_others() {
        let password = PasswordText::new("correct horse battery");
        let hash = cheap().hash(&password, SALT).expect("memory");
        assert!(
            hash.as_str().starts_with("$argon2id$v=19$m=16,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$"),
            "{}",
            hash.as_str()
        );
        assert_eq!(Argon2id::new(8, 1, 1).expect("valid").verify(&password, &hash), Ok(true));
        let other = cheap().hash(&password, Salt([0; 16])).expect("memory");
        assert_ne!(hash, other);
    }

    #[test]
    fn the_default_is_the_recommendation_of_owasp() {
        assert!(Argon2id::default().decoy().as_str().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    }

    #[test]
    fn a_decoy_costs_what_a_hash_costs_and_is_of_no_password() {
        let (password, argon2id) = (PasswordText::new("correct horse battery"), cheap());
        let (decoy, hash) = (argon2id.decoy(), argon2id.hash(&password, SALT).expect("memory"));
        let parameters = |hash: &PasswordHash| hash.as_str().split('$').nth(3).map(str::to_owned);
        assert_eq!(parameters(&decoy), parameters(&hash));
        assert_eq!(decoy.as_str().len(), hash.as_str().len());
        assert_eq!(argon2id.verify(&password, &decoy), Ok(false));
    }

    #[test]
    fn a_weaker_hash_is_outdone_and_an_equal_or_stronger_one_is_not() {
        let of = |memory, iterations| Argon2id::new(memory, iterations, 1).expect("valid").decoy();
        let present = cheap();
        assert!(!present.outdoes(&of(16, 2)) && !present.outdoes(&of(17, 3)));
        assert!(present.outdoes(&of(15, 2)) && present.outdoes(&of(16, 1)) && present.outdoes(&of(64, 1)));
        let kin = |from, to| PasswordHash::from_stored(of(16, 2).as_str().replace(from, to));
        assert!(present.outdoes(&kin("argon2id", "argon2i")));
        assert!(present.outdoes(&kin("v=19", "v=16")));
        assert!(present.outdoes(&PasswordHash::from_stored("not a hash".to_owned())));
    }

    #[test]
    fn parameters_below_the_smallest_and_text_that_is_no_hash_are_errors() {
        for (memory, iterations, lanes) in
            [(7, 1, 1), (8, 0, 1), (8, 1, 0), (15, 1, 2), (u32::MAX, 1, u32::MAX)]
        {
            assert_eq!(Argon2id::new(memory, iterations, lanes), Err(ParametersError));
        }
        let broken = PasswordHash::from_stored("$argon2id$v=19$m=8".to_owned());
        assert_eq!(cheap().verify(&PasswordText::new("x"), &broken), Err(HasherError::Unreadable));
    }
}

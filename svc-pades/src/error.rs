//! Why a pair cannot seal, and what is broken in a signature.

use thiserror::Error;

/// Why a certificate and a key cannot seal. The text tells nothing of the key.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SealerRefused {
    /// The chain.
    #[error("the certificate chain cannot be read as PEM: {0}")]
    Chain(String),
    /// There is none.
    #[error("there is no certificate in the chain")]
    NoCertificate,
    /// The key.
    #[error("there is no private key in PEM (PKCS #8, PKCS #1 or SEC 1)")]
    NoKey,
    /// The key does not belong to the first certificate.
    #[error("the private key is not that of the first certificate: {0}")]
    OtherKey(String),
    /// The key is of another kind.
    #[error("the key is neither RSA of 2,048 bits or more nor ECDSA on P-256")]
    Algorithm,
    /// The certificate is for something else.
    #[error(
        "the certificate is not for signatures: its key usage is neither digitalSignature nor nonRepudiation"
    )]
    Usage,
    /// A signature cannot be made.
    #[error("no signature can be made: {0}")]
    Signing(String),
}

/// What is broken in a signature.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum BrokenSignature {
    /// It is no CMS signature of one signer.
    #[error("the platform signature cannot be read")]
    Unreadable,
    /// The certificate that it names is not in it.
    #[error("the platform signature lacks its certificate")]
    NoCertificate,
    /// It is over another file.
    #[error("the platform signature is over another file")]
    OtherFile,
    /// It names another certificate than the one that it is made with.
    #[error("the platform signature is bound to another certificate")]
    OtherCertificate,
    /// It is not made with the key of its certificate.
    #[error("the platform signature is not made with the key of its certificate")]
    Signature,
}

impl BrokenSignature {
    /// Its stable name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable => "platform_signature_unreadable",
            Self::NoCertificate => "platform_certificate_missing",
            Self::OtherFile => "platform_signature_of_other_file",
            Self::OtherCertificate => "platform_signature_of_other_certificate",
            Self::Signature => "platform_signature_broken",
        }
    }
}

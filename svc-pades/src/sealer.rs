//! The signature of a platform, made.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use cms::cert::x509::Certificate;
use cms::cert::x509::der::asn1::{Any, OctetString, SetOfVec};
use cms::cert::x509::der::{self, Decode as _, Encode as _};
use cms::cert::x509::spki::AlgorithmIdentifierOwned;
use cms::cert::{CertificateChoices, IssuerAndSerialNumber};
use cms::content_info::{CmsVersion, ContentInfo};
use cms::signed_data::{
    CertificateSet, EncapsulatedContentInfo, SignedData, SignerIdentifier, SignerInfo, SignerInfos,
};
use rustls::SignatureScheme;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::{CertifiedKey, SigningKey};
use svc_core::clock::Timestamp;
use svc_core::trail::Digest;
use svc_seal::Sealer;

use crate::attributes::{DATA, SHA_256, SIGNED_DATA, attributes};
use crate::certificate;
use crate::check::{ECDSA_SHA_256, RSA_SHA_256};
use crate::error::SealerRefused;

/// Room for a signature that is longer than the first: those of ECDSA differ by some bytes.
const SPARE: usize = 64;

/// Seals with a certificate and its key: detached CMS, as `PAdES` B-B has it (ETSI EN 319 142-1, section 6).
#[derive(Clone)]
pub struct PlatformSealer {
    /// The own one first.
    chain: Vec<Certificate>,
    /// The same in DER.
    encoded: Vec<Vec<u8>>,
    key: Arc<dyn SigningKey>,
    scheme: SignatureScheme,
    room: usize,
}

impl PlatformSealer {
    /// Reads a certificate with those that vouch for it, and the private key of the first, each as PEM.
    ///
    /// # Errors
    /// [`SealerRefused`]: they cannot be read, do not belong together, or are not for signatures of this kind.
    pub fn from_pem(chain: &[u8], key: &[u8]) -> Result<Self, SealerRefused> {
        let refused = |error: &dyn fmt::Display| SealerRefused::Chain(error.to_string());
        let read: Vec<_> = CertificateDer::pem_slice_iter(chain)
            .collect::<Result<_, _>>()
            .map_err(|error| refused(&error))?;
        let parsed = read.iter().map(|one| Certificate::from_der(one)).collect::<der::Result<Vec<_>>>();
        let parsed = parsed.map_err(|error| refused(&error))?;
        for (one, bytes) in parsed.iter().zip(&read) {
            // What is sealed is what was read: a certificate that is written in another way has another hash.
            if one.to_der().map_err(|error| refused(&error))? != bytes.as_ref() {
                return Err(SealerRefused::Chain("a certificate is not in DER".to_owned()));
            }
        }
        let first = parsed.first().ok_or(SealerRefused::NoCertificate)?;
        let encoded = read.iter().map(|one| one.to_vec()).collect();
        if !certificate::signs(first) {
            return Err(SealerRefused::Usage);
        }
        // Told without the parser's own words, which may quote the file.
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|_| SealerRefused::NoKey)?;
        let provider = rustls::crypto::aws_lc_rs::default_provider();
        let pair = CertifiedKey::from_der(read, key, &provider)
            .map_err(|error| SealerRefused::OtherKey(error.to_string()))?;
        let offered = [SignatureScheme::RSA_PKCS1_SHA256, SignatureScheme::ECDSA_NISTP256_SHA256];
        let chosen = pair.key.choose_scheme(&offered).ok_or(SealerRefused::Algorithm)?;
        let scheme = chosen.scheme();
        let mut sealer = Self { chain: parsed, encoded, key: pair.key, scheme, room: 0 };
        let first =
            sealer.signature(&Digest::NONE).map_err(|error| SealerRefused::Signing(error.to_string()))?;
        sealer.room = first.len().saturating_add(SPARE);
        Ok(sealer)
    }

    /// Whether the certificate may be used at this instant.
    #[must_use]
    pub fn covers(&self, at: Timestamp) -> bool {
        self.validity().is_some_and(|(from, until)| from <= at && at <= until)
    }

    /// When the certificate ends.
    #[must_use]
    pub fn until(&self) -> Option<Timestamp> {
        self.validity().map(|(_, until)| until)
    }

    /// Whom the certificate names (RFC 4514).
    #[must_use]
    pub fn subject(&self) -> String {
        self.chain.first().map(certificate::subject).unwrap_or_default()
    }

    fn validity(&self) -> Option<(Timestamp, Timestamp)> {
        self.chain.first().map(certificate::validity)
    }

    fn signature(&self, content: &Digest) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
        let own = self.chain.first().ok_or(SealerRefused::NoCertificate)?;
        let attributes = attributes(&self.encoded, content)?;
        let signer = self.key.choose_scheme(&[self.scheme]).ok_or(SealerRefused::Algorithm)?;
        let signature = signer.sign(&attributes.to_der()?)?;
        // RFC 8017, appendix A.2.4: the parameters are NULL. Those of ECDSA are absent (RFC 5754, section 3.3).
        let (oid, parameters) = if self.scheme == SignatureScheme::RSA_PKCS1_SHA256 {
            (RSA_SHA_256, Some(Any::null()))
        } else {
            (ECDSA_SHA_256, None)
        };
        let tbs = &own.tbs_certificate;
        let issued =
            IssuerAndSerialNumber { issuer: tbs.issuer.clone(), serial_number: tbs.serial_number.clone() };
        let digest = AlgorithmIdentifierOwned { oid: SHA_256, parameters: None };
        let signer = SignerInfo {
            version: CmsVersion::V1,
            sid: SignerIdentifier::IssuerAndSerialNumber(issued),
            digest_alg: digest.clone(),
            signed_attrs: Some(attributes),
            signature_algorithm: AlgorithmIdentifierOwned { oid, parameters },
            signature: OctetString::new(signature)?,
            unsigned_attrs: None,
        };
        let chain = self.chain.iter().cloned().map(CertificateChoices::Certificate).collect::<Vec<_>>();
        let data = SignedData {
            version: CmsVersion::V1,
            digest_algorithms: SetOfVec::try_from([digest])?,
            encap_content_info: EncapsulatedContentInfo { econtent_type: DATA, econtent: None },
            certificates: Some(CertificateSet(SetOfVec::try_from(chain)?)),
            crls: None,
            signer_infos: SignerInfos(SetOfVec::try_from([signer])?),
        };
        let content = Any::encode_from(&data)?;
        Ok(ContentInfo { content_type: SIGNED_DATA, content }.to_der()?)
    }
}

impl Sealer for PlatformSealer {
    fn room(&self) -> usize {
        self.room
    }

    fn sign(&self, digest: &Digest) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
        self.signature(digest)
    }
}

impl fmt::Debug for PlatformSealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlatformSealer").field("subject", &self.subject()).finish_non_exhaustive()
    }
}

//! The signature of a platform, checked.

use cms::cert::x509::Certificate;
use cms::cert::x509::der::asn1::ObjectIdentifier;
use cms::cert::x509::der::{self, Decode as _, Encode};
use cms::cert::x509::spki::AlgorithmIdentifierOwned;
use cms::cert::{CertificateChoices, IssuerAndSerialNumber};
use cms::content_info::{CmsVersion, ContentInfo};
use cms::signed_data::{EncapsulatedContentInfo, SignedData, SignerIdentifier, SignerInfo};
use rustls::SignatureScheme;
use svc_core::clock::Timestamp;
use svc_seal::PlatformSignature;

use crate::attributes::{DATA, SHA_256, SIGNED_DATA, name_certificates, name_content};
use crate::certificate;
use crate::error::BrokenSignature;

/// sha256WithRSAEncryption (RFC 8017).
pub(crate) const RSA_SHA_256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.11");
/// ecdsa-with-SHA256 (RFC 5758).
pub(crate) const ECDSA_SHA_256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.4.3.2");

/// A signature in order, and the certificate that it is made with. Whether that is to be trusted is for the reader to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Whom the certificate names (RFC 4514).
    pub subject: String,
    /// Who issued it.
    pub issuer: String,
    /// From when on it may be used.
    pub not_before: Timestamp,
    /// Until when.
    pub not_after: Timestamp,
}

/// Checks that a signature is over its file and made with the key of its certificate.
///
/// # Errors
/// [`BrokenSignature`], with what is broken.
pub fn check(signature: &PlatformSignature) -> Result<Checked, BrokenSignature> {
    let unreadable = |_| BrokenSignature::Unreadable;
    let info = ContentInfo::from_der(&signature.cms).map_err(unreadable)?;
    if info.content_type != SIGNED_DATA {
        return Err(BrokenSignature::Unreadable);
    }
    let data: SignedData = info.content.decode_as().map_err(unreadable)?;
    let signer = only_signer(&data).ok_or(BrokenSignature::Unreadable)?;
    let own = own(&data, signer).ok_or(BrokenSignature::NoCertificate)?;
    let all = data.certificates.iter().flat_map(|all| all.0.iter());
    let others = all.filter(|one| !matches!(one, CertificateChoices::Certificate(one) if one == own));
    let others = others.map(Encode::to_der).collect::<der::Result<_>>().map_err(unreadable)?;
    let attributes = signer.signed_attrs.as_ref().ok_or(BrokenSignature::Unreadable)?;
    if !name_content(attributes, &signature.digest).map_err(unreadable)? {
        return Err(BrokenSignature::OtherFile);
    }
    if !name_certificates(attributes, own.to_der().map_err(unreadable)?, others).map_err(unreadable)? {
        return Err(BrokenSignature::OtherCertificate);
    }
    let content = attributes.to_der().map_err(unreadable)?;
    if !made_with(own, signer, &content) {
        return Err(BrokenSignature::Signature);
    }
    let (not_before, not_after) = certificate::validity(own);
    let issuer = own.tbs_certificate.issuer.to_string();
    Ok(Checked { subject: certificate::subject(own), issuer, not_before, not_after })
}

/// The signer of a signature of the form that is made here: one signer, SHA-256, the content outside.
fn only_signer(data: &SignedData) -> Option<&SignerInfo> {
    let sha_256 = |one: &AlgorithmIdentifierOwned| one.oid == SHA_256 && one.parameters.is_none();
    let outside = EncapsulatedContentInfo { econtent_type: DATA, econtent: None };
    let (Some(digest), 1) = (data.digest_algorithms.get(0), data.digest_algorithms.len()) else {
        return None;
    };
    let (Some(signer), 1) = (data.signer_infos.0.get(0), data.signer_infos.0.len()) else { return None };
    let versions = data.version == CmsVersion::V1 && signer.version == CmsVersion::V1;
    let algorithms = sha_256(digest) && sha_256(&signer.digest_alg);
    (versions && algorithms && data.encap_content_info == outside).then_some(signer)
}

/// The certificate that a signer names.
fn own<'a>(data: &'a SignedData, signer: &SignerInfo) -> Option<&'a Certificate> {
    let SignerIdentifier::IssuerAndSerialNumber(IssuerAndSerialNumber { issuer, serial_number }) =
        &signer.sid
    else {
        return None;
    };
    data.certificates.as_ref()?.0.iter().find_map(|one| match one {
        CertificateChoices::Certificate(one)
            if one.tbs_certificate.issuer == *issuer
                && one.tbs_certificate.serial_number == *serial_number =>
        {
            Some(one)
        }
        CertificateChoices::Certificate(_) | CertificateChoices::Other(_) => None,
    })
}

fn made_with(own: &Certificate, signer: &SignerInfo, content: &[u8]) -> bool {
    let scheme = match signer.signature_algorithm.oid {
        RSA_SHA_256 => SignatureScheme::RSA_PKCS1_SHA256,
        ECDSA_SHA_256 => SignatureScheme::ECDSA_NISTP256_SHA256,
        _ => return false,
    };
    let Some(key) = own.tbs_certificate.subject_public_key_info.subject_public_key.as_bytes() else {
        return false;
    };
    let known = rustls::crypto::aws_lc_rs::default_provider().signature_verification_algorithms;
    let named = known.mapping.iter().filter(|(one, _)| *one == scheme).flat_map(|(_, all)| all.iter());
    named.into_iter().any(|one| one.verify_signature(key, content, signer.signature.as_bytes()).is_ok())
}

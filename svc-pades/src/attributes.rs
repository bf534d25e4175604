//! What a signature is over: the attributes that name the content and the certificate (RFC 5652, section 5.3).

use cms::cert::x509::attr::{Attribute, Attributes};
use cms::cert::x509::der::asn1::{Any, ObjectIdentifier, OctetString, SetOfVec};
use cms::cert::x509::der::{self, Decode as _, Encode};
use svc_core::trail::Digest;

/// id-data: the content is any bytes (RFC 5652, section 4).
pub(crate) const DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.1");
/// id-signedData (RFC 5652, section 5.1).
pub(crate) const SIGNED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.2");
/// SHA-256 (RFC 5754, section 2.2).
pub(crate) const SHA_256: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.1");

const CONTENT_TYPE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.3");
const MESSAGE_DIGEST: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.4");
const SIGNING_CERTIFICATE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.2.47");

/// `SigningCertificateV2`, which binds the signature to its certificate and to those that vouch for it: a sequence of sequences of `ESSCertIDv2`, which have the hash alone, SHA-256 being the default and
/// the issuer being optional (RFC 5035, sections 3 and 4).
type SigningCertificate = Vec<Vec<Vec<OctetString>>>;

/// Those of a signature with the first of these certificates, which the others vouch for, of a content with this SHA-256.
///
/// There is no signing time: `PAdES` has it in the dictionary of the signature (EN 319 142-1, section 6.3).
pub(crate) fn attributes(chain: &[Vec<u8>], content: &Digest) -> der::Result<Attributes> {
    let mut all = Attributes::new();
    all.insert(attribute(CONTENT_TYPE, &DATA)?)?;
    all.insert(attribute(MESSAGE_DIGEST, &message_digest(content)?)?)?;
    all.insert(attribute(SIGNING_CERTIFICATE, &signing_certificate(chain)?)?)?;
    Ok(all)
}

/// Whether these name that content.
pub(crate) fn name_content(attributes: &Attributes, content: &Digest) -> der::Result<bool> {
    let content = attribute(MESSAGE_DIGEST, &message_digest(content)?)?;
    Ok(has(attributes, &content) && has(attributes, &attribute(CONTENT_TYPE, &DATA)?))
}

/// Whether these name that certificate first, and besides it those others and no more, in whatever order.
pub(crate) fn name_certificates(
    attributes: &Attributes,
    own: Vec<u8>,
    mut others: Vec<Vec<u8>>,
) -> der::Result<bool> {
    let named =
        attributes.iter().find(|one| one.oid == SIGNING_CERTIFICATE).and_then(|one| one.values.get(0));
    let Some(named) = named else { return Ok(false) };
    let named = SigningCertificate::from_der(&named.to_der()?)?.into_iter().flatten().flatten();
    let order: Vec<_> = named.map(OctetString::into_bytes).collect();
    others.sort_by_key(|one| order.iter().position(|hash| hash[..] == Digest::of(one).as_bytes()[..]));
    let chain: Vec<_> = std::iter::once(own).chain(others).collect();
    Ok(has(attributes, &attribute(SIGNING_CERTIFICATE, &signing_certificate(&chain)?)?))
}

fn message_digest(content: &Digest) -> der::Result<OctetString> {
    OctetString::new(content.as_bytes().as_slice())
}

fn signing_certificate(chain: &[Vec<u8>]) -> der::Result<SigningCertificate> {
    let hash = |one: &Vec<u8>| Ok(vec![OctetString::new(Digest::of(one).as_bytes().as_slice())?]);
    Ok(vec![chain.iter().map(hash).collect::<der::Result<_>>()?])
}

fn attribute(oid: ObjectIdentifier, value: &impl Encode) -> der::Result<Attribute> {
    let value = Any::from_der(&value.to_der()?)?;
    Ok(Attribute { oid, values: SetOfVec::try_from([value])? })
}

/// An attribute is there once, as it is given.
fn has(attributes: &Attributes, attribute: &Attribute) -> bool {
    let mut named = attributes.iter().filter(|one| one.oid == attribute.oid);
    named.next() == Some(attribute) && named.next().is_none()
}

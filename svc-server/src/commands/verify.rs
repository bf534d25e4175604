//! `verify`: what sealed PDF files prove.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use svc_core::clock::Timestamp;
use svc_pades::{BrokenSignature, Checked};
use svc_seal::{Digest, Role, SealKey, Verified, VerifyError};

use crate::commands::Context;
use crate::config::Settings;
use crate::failure::Failure;
use crate::output::{Output, Tone};

/// The most bytes of a file that are read: twice what a sealed one has at most.
const MOST: usize = 2 * (svc_seal::MOST_BYTES + svc_seal::MOST_EVIDENCE);

/// `verify`
#[derive(Args, Debug)]
#[command(
    after_help = "Needs the master key that the server had when it sealed, and no database: works beside a running server, \
                  and on\na machine with the key alone. A file in which any byte was changed, added or cut off is broken; the \
                  command then\nends with 1.\n\nExamples:\n  svc-server verify 'Lease (signed).pdf'\n  svc-server verify *.pdf \
                  --json\n  svc-server verify 'Lease (signed).pdf' --original lease.pdf"
)]
pub(crate) struct Verify {
    /// A sealed file (repeatable)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the document as people signed it to this new file; for one sealed file
    #[arg(long, value_name = "FILE")]
    original: Option<PathBuf>,
}

/// What was found of one file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Verdict {
    file: String,
    ok: bool,
    /// Why it is broken.
    code: Option<&'static str>,
    reason: Option<String>,
    #[serde(flatten)]
    proof: Option<Proof>,
}

/// What a whole file proves.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Proof {
    envelope_id: String,
    subject: String,
    sender: String,
    sealed_at: Timestamp,
    sha256: Digest,
    /// The digest of the document that people signed.
    original_sha256: Digest,
    signers: Vec<Signer>,
    /// Entries of the trail, whose hashes fit.
    entries: usize,
    /// The certificate of the platform, if it signed too.
    platform: Option<Platform>,
}

/// Whom the signature of the platform names. Whether its certificate is to be trusted is for a reader of PDF to say.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Platform {
    subject: String,
    issuer: String,
    not_before: Timestamp,
    not_after: Timestamp,
    /// Whether the file was sealed in that time.
    valid_at_sealing: bool,
}

/// Why a file proves nothing.
enum Broken {
    Seal(VerifyError),
    Platform(BrokenSignature),
}

/// A person who took part.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Signer {
    name: String,
    email: String,
    role: Role,
    signed_at: Option<Timestamp>,
}

impl Verify {
    pub(crate) fn run(self, context: &Context) -> Result<(), Failure> {
        if self.original.is_some() && self.files.len() != 1 {
            let wrong = "`--original` writes one document, and more than one file is named";
            return Err(Failure::usage("usage", wrong).hint("verify that file alone"));
        }
        let settings = context.settings(Vec::new())?;
        let keys = seal_keys(&settings)?;
        let mut verdicts = Vec::new();
        for path in &self.files {
            let bytes = read(path)?;
            let verdict = Verdict::of(path, verified(&bytes, &keys));
            if let (true, Some(target)) = (verdict.ok, &self.original) {
                write_original(&bytes, target)?;
            }
            verdicts.push(verdict);
        }
        let rows = verdicts.iter().map(|verdict| verdict.row(context.output)).collect();
        let ok = verdicts.iter().all(|verdict| verdict.ok);
        let report = serde_json::json!({"ok": ok, "items": verdicts});
        context.output.table(
            &report,
            &["file", "seal", "sealed at", "envelope", "signed by", "platform"],
            rows,
        );
        verdicts.iter().find_map(Verdict::failure).map_or(Ok(()), Err)
    }
}

/// The keys of the settings, the one in use first. None is made: a new one has sealed nothing.
fn seal_keys(settings: &Settings) -> Result<Vec<SealKey>, Failure> {
    if let Some(path) = settings.key.path().filter(|path| !path.exists()) {
        let missing = format!("there is no key file {}", path.display());
        return Err(Failure::new("master_key_missing", missing).hint(
            "set SVC_MASTER_KEY or SVC_MASTER_KEY_FILE to the key of the server that sealed the files",
        ));
    }
    Ok(settings.keys()?.seal_keys().map(|(id, key)| SealKey::new(id, *key)).collect())
}

/// By the key that the file names, so that files from before a change of the key verify.
fn verified(bytes: &[u8], keys: &[SealKey]) -> Result<Proof, Broken> {
    let named = svc_seal::key_id(bytes).ok_or(Broken::Seal(VerifyError::NoSeal))?;
    let key = keys.iter().find(|key| key.id() == named);
    let key = key.ok_or(Broken::Seal(VerifyError::OtherKey { key: named }))?;
    let verified = svc_seal::verify(bytes, key).map_err(Broken::Seal)?;
    let platform = verified.platform.as_ref().map(svc_pades::check).transpose().map_err(Broken::Platform)?;
    Ok(Proof::of(verified, platform))
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |error: &std::io::Error| {
        Failure::caused("file_unreadable", &format!("{} cannot be read", path.display()), error)
            .hint("check the name of the file, and that this user may read it")
    };
    let file = std::fs::File::open(path).map_err(|error| failed(&error))?;
    let mut bytes = Vec::new();
    let most = u64::try_from(MOST).unwrap_or(u64::MAX);
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    if bytes.len() > MOST {
        let large = format!("{} is larger than any file that is sealed", path.display());
        return Err(Failure::new("file_too_large", large).hint("name the PDF file that the service sealed"));
    }
    Ok(bytes)
}

fn write_original(sealed: &[u8], target: &Path) -> Result<(), Failure> {
    let original =
        svc_seal::original(sealed).map_err(|error| Failure::new(error.code(), error.to_string()))?;
    let written = std::fs::File::create_new(target)
        .and_then(|mut file| std::io::Write::write_all(&mut file, original).and_then(|()| file.sync_all()));
    written.map_err(|error| {
        Failure::caused("file_unwritable", &format!("{} cannot be written", target.display()), &error)
            .hint("name a file that is not there yet, in a folder where this user may write")
    })
}

impl Verdict {
    fn of(path: &Path, outcome: Result<Proof, Broken>) -> Self {
        let file = path.display().to_string();
        let (code, reason) = match outcome {
            Ok(proof) => return Self { file, ok: true, code: None, reason: None, proof: Some(proof) },
            Err(Broken::Seal(error)) => (error.code(), error.to_string()),
            Err(Broken::Platform(error)) => (error.code(), error.to_string()),
        };
        Self { file, ok: false, code: Some(code), reason: Some(reason), proof: None }
    }

    fn row(&self, output: Output) -> Vec<String> {
        let Some(proof) = &self.proof else {
            let reason = self.reason.as_deref().unwrap_or_default();
            let nothing = || "-".to_owned();
            let seal = output.tone(Tone::Bad, reason);
            return vec![self.file.clone(), seal, nothing(), nothing(), nothing(), nothing()];
        };
        let signed = proof.signers.iter().filter(|signer| signer.signed_at.is_some());
        let names: Vec<_> = signed.map(|signer| signer.name.as_str()).collect();
        vec![
            self.file.clone(),
            output.tone(Tone::Good, "whole"),
            proof.sealed_at.to_string(),
            proof.envelope_id.clone(),
            names.join(", "),
            proof.platform.as_ref().map_or_else(|| "-".to_owned(), |platform| platform.subject.clone()),
        ]
    }

    fn failure(&self) -> Option<Failure> {
        let (code, reason) = (self.code?, self.reason.as_deref()?);
        let hint = match code {
            "no_seal" => {
                "name the PDF file as the service sealed it; a program that saved it anew has removed the seal"
            }
            "seal_other_key" => {
                "list that key in SVC_MASTER_KEYS_OLD, or verify with the server that sealed the file"
            }
            _ => "take the file as the service sealed it: GET /envelopes/{id}/documents/{fileId}?signed=true",
        };
        Some(Failure::new(code, format!("{}: {reason}", self.file)).hint(hint))
    }
}

impl Proof {
    fn of(verified: Verified, platform: Option<Checked>) -> Self {
        let Verified { original_digest, digest, sealed_at, envelope, evidence, .. } = verified;
        let platform = platform.map(|Checked { subject, issuer, not_before, not_after }| {
            let valid_at_sealing = not_before <= sealed_at && sealed_at <= not_after;
            Platform { subject, issuer, not_before, not_after, valid_at_sealing }
        });
        let signer = |one: svc_seal::Signer| {
            let signed_at = one.signed_at();
            Signer { name: one.name, email: one.email, role: one.role, signed_at }
        };
        Self {
            envelope_id: envelope,
            subject: evidence.subject,
            sender: evidence.sender,
            sealed_at,
            sha256: digest,
            original_sha256: original_digest,
            entries: evidence.entries.links().len(),
            signers: evidence.signers.into_iter().map(signer).collect(),
            platform,
        }
    }
}

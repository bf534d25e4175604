//! The master key: where it comes from, and how it comes into being.
//!
//! A new SQLite database gets a key file beside it, readable by its owner
//! alone. The file is made once and whole (written under another name and
//! linked), so that two processes that start together agree on one key. A
//! database whose key file is gone is not given a new key: its secrets could
//! never be read again, and the mistake would show much later.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret as _, SecretBox};
use svc_core::random;
use svc_storage_seaorm::Keys;

use super::DatabaseUrl;
use super::read::Reader;
use crate::failure::Failure;
use crate::system::OsRandom;

/// Number of the one key in use: stored beside everything that it made, for the day it is replaced.
const KEY_ID: u32 = 1;

/// Where the master key comes from.
#[derive(Clone, Debug)]
pub(crate) enum KeySource {
    /// From the settings.
    Given(std::sync::Arc<SecretBox<[u8; 32]>>),
    /// From a file that must be there.
    File(PathBuf),
    /// From the file beside the SQLite database, made with the database.
    Beside(PathBuf),
}

impl KeySource {
    pub(super) fn choose(reader: &Reader<'_>, database: &DatabaseUrl) -> Result<Self, Failure> {
        let given =
            reader.optional("master_key", |text| parse(text).map(|key| SecretBox::new(Box::new(key))))?;
        let file = reader.optional("master_key_file", |text| Ok(PathBuf::from(text)))?;
        match (given, file, database) {
            (Some(_), Some(_), _) => Err(reader
                .broken("master_key_file", "is set and so is `master_key`")
                .hint("keep one of SVC_MASTER_KEY and SVC_MASTER_KEY_FILE")),
            (Some(key), None, _) => Ok(Self::Given(key.into())),
            (None, Some(file), _) => Ok(Self::File(file)),
            (None, None, DatabaseUrl::Sqlite(path)) => Ok(Self::Beside(path.with_extension("key"))),
            (None, None, DatabaseUrl::Postgres(_)) => {
                Err(reader.broken("master_key", "is required with PostgreSQL").hint(
                    "make one with `openssl rand -base64 32` and set SVC_MASTER_KEY or SVC_MASTER_KEY_FILE",
                ))
            }
        }
    }

    /// The key, read from where it is; a new SQLite database gets one.
    pub(super) fn load(&self, database: &DatabaseUrl) -> Result<Keys, Failure> {
        let key = match (self, database) {
            (Self::Given(key), _) => *key.expose_secret(),
            (Self::Beside(path), DatabaseUrl::Sqlite(data)) if !path.exists() => {
                if data.exists() {
                    return Err(Failure::new(
                        "master_key_missing",
                        format!("{} exists but its key file {} does not", data.display(), path.display()),
                    )
                    .hint("restore the key file, or set SVC_MASTER_KEY to the key that the database was made with"));
                }
                make(path)?;
                read(path)?
            }
            (Self::File(path) | Self::Beside(path), _) => read(path)?,
        };
        Ok(Keys::new(KEY_ID, key))
    }

    /// The file that the key is in.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Given(_) => None,
            Self::File(path) | Self::Beside(path) => Some(path),
        }
    }
}

/// Reads 64 hexadecimal digits, or base 64 of 32 bytes in any of its usual forms.
fn parse(text: &str) -> Result<[u8; 32], String> {
    let bytes = Zeroizing::new(if text.len() == 64 { hex(text) } else { base64(text) }.unwrap_or_default());
    <[u8; 32]>::try_from(bytes.as_slice())
        .map_err(|_| "is not 32 bytes in base64 or hexadecimal digits".to_owned())
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let (pairs, _) = text.as_bytes().as_chunks::<2>();
    pairs
        .iter()
        .map(|pair| {
            pair.iter().try_fold(0_u8, |byte, digit| {
                let value = u8::try_from(char::from(*digit).to_digit(16)?).ok()?;
                Some((byte << 4) | value)
            })
        })
        .collect()
}

fn base64(text: &str) -> Option<Vec<u8>> {
    [STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD]
        .into_iter()
        .find_map(|engine| engine.decode(text).ok())
}

fn read(path: &Path) -> Result<[u8; 32], Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::new(
            "master_key_unreadable",
            format!("the key file {} cannot be read: {error}", path.display()),
        )
        .hint("check the path and that this user may read it")
    })?;
    let text = Zeroizing::new(text);
    parse(text.trim()).map_err(|wrong| {
        Failure::new("master_key_invalid", format!("the key file {} {wrong}", path.display()))
            .hint("restore the file; a new key is made with `openssl rand -base64 32`")
    })
}

/// Makes the file with a new key, unless somebody made it in between.
fn make(path: &Path) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        Failure::new(
            "master_key_unwritable",
            format!("the key file {} cannot be made: {error}", path.display()),
        )
        .hint("check that this user may write to the folder, or set SVC_MASTER_KEY")
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    // Temporary files are made with mode 0600, and the link keeps it.
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|error| failed(&error))?;
    let key: Zeroizing<[u8; 32]> = Zeroizing::new(random::bytes(&OsRandom));
    let line = Zeroizing::new(format!("{}\n", STANDARD.encode(key.as_slice())));
    file.write_all(line.as_bytes()).map_err(|error| failed(&error))?;
    file.as_file().sync_all().map_err(|error| failed(&error))?;
    match file.persist_noclobber(path) {
        Err(lost) if lost.error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(lost) => Err(failed(&lost.error)),
        Ok(_) => {
            std::fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| failed(&error))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_key_is_read_from_every_usual_form_and_nothing_else() {
        let key: [u8; 32] = std::array::from_fn(|at| 255 - u8::try_from(at).expect("below 32"));
        let digits = key.map(|byte| format!("{byte:02X}")).concat();
        for text in [digits.clone(), STANDARD.encode(key), URL_SAFE_NO_PAD.encode(key)] {
            assert_eq!(parse(&text), Ok(key), "{text}");
        }
        for text in [&digits[2..], "", &"zz".repeat(32), &STANDARD.encode([0; 31]), &"é".repeat(32)] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_key_file_is_made_once_and_for_its_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep/svc.key");
        make(&path).expect("made");
        let first = read(&path).expect("read");
        make(&path).expect("kept");
        assert_eq!(read(&path).expect("read again"), first);
        let mode = std::fs::metadata(&path).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_database_that_lost_its_key_file_is_not_given_another_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("svc.db");
        std::fs::write(&data, "a database").expect("written");
        let source = KeySource::Beside(data.with_extension("key"));
        let failure = source.load(&DatabaseUrl::Sqlite(data.clone())).expect_err("refused");
        assert_eq!(failure.code(), "master_key_missing");
        assert!(!data.with_extension("key").exists());
    }
}

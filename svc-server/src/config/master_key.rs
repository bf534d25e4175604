//! Master keys: where they come from, how the first comes into being, and how one is replaced.
//!
//! A new SQLite database gets a key file beside it, readable by its owner
//! alone. The file is made once and whole (written under another name and
//! linked), so that two processes that start together agree on one key. A
//! database whose key file is gone is not given a new key: its secrets could
//! never be read again, and the mistake would show much later.
//!
//! Each key has a number, stored beside everything that it made. To replace a
//! key, give the new one the next number and list the old one among the old
//! keys: what the old one made goes on working, and new tokens and secrets are
//! made with the new one. Of several servers on one database each must know
//! the new key before the first one uses it, so list it there first, exchange
//! the two next. `doctor` tells when nothing needs an old key any more.

mod written;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use secrecy::zeroize::Zeroizing;
use svc_core::random;
use svc_core::system::OsRandom;
use svc_storage_seaorm::Keys;

pub(crate) use self::written::Numbered;
use super::DatabaseUrl;
use super::read::{self, Reader};
use crate::failure::Failure;

/// Where the master key in use comes from.
#[derive(Clone, Debug)]
pub(crate) enum KeySource {
    /// From the settings.
    Given(Numbered),
    /// From a file that must be there.
    File(PathBuf),
    /// From the file beside the SQLite database, made with the database.
    Beside(PathBuf),
}

/// Master keys that were in use before, or will be.
#[derive(Clone, Debug, Default)]
pub(crate) struct OtherKeys {
    given: Vec<Numbered>,
    file: Option<PathBuf>,
}

impl KeySource {
    pub(super) fn choose(reader: &Reader<'_>, database: &DatabaseUrl) -> Result<Self, Failure> {
        let given = reader.optional("master_key", Numbered::read)?;
        let file = reader.optional("master_key_file", read::path)?;
        match (given, file, database) {
            (Some(_), Some(_), _) => Err(reader
                .broken("master_key_file", "is set and so is `master_key`")
                .hint("keep one of SVC_MASTER_KEY and SVC_MASTER_KEY_FILE")),
            (Some(key), None, _) => Ok(Self::Given(key)),
            (None, Some(file), _) => Ok(Self::File(file)),
            (None, None, DatabaseUrl::Sqlite(path)) => Ok(Self::Beside(path.with_extension("key"))),
            (None, None, DatabaseUrl::Postgres(_)) => {
                Err(reader.broken("master_key", "is required with PostgreSQL").hint(
                    "make one with `openssl rand -base64 32` and set SVC_MASTER_KEY or SVC_MASTER_KEY_FILE",
                ))
            }
        }
    }

    /// The keys, read from where they are; a new SQLite database gets one.
    pub(super) fn load(&self, others: &OtherKeys, database: &DatabaseUrl) -> Result<Keys, Failure> {
        let current = match (self, database) {
            (Self::Given(key), _) => key.clone(),
            (Self::Beside(path), DatabaseUrl::Sqlite(data)) if !path.exists() => {
                if data.exists() {
                    return Err(Failure::new(
                        "master_key_missing",
                        format!("{} exists but its key file {} does not", data.display(), path.display()),
                    )
                    .hint("restore the key file, or set SVC_MASTER_KEY to the key that the database was made with"));
                }
                make(path)?;
                read_one(path)?
            }
            (Self::File(path) | Self::Beside(path), _) => read_one(path)?,
        };
        let mut known = vec![current.id];
        let mut keys = Keys::new(current.id, current.expose());
        for other in others.load()? {
            if known.contains(&other.id) {
                return Err(Failure::usage(
                    "master_key_repeated",
                    format!("two master keys have the number {}", other.id),
                )
                .hint("write the number before each key, the new one's above all: SVC_MASTER_KEY=2:…"));
            }
            known.push(other.id);
            keys = keys.with_older(other.id, other.expose());
        }
        Ok(keys)
    }

    /// The file that the key is in.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Given(_) => None,
            Self::File(path) | Self::Beside(path) => Some(path),
        }
    }
}

impl OtherKeys {
    pub(super) fn choose(reader: &Reader<'_>) -> Result<Self, Failure> {
        Ok(Self {
            given: reader.list("master_keys_old", Numbered::read)?,
            file: reader.optional("master_keys_old_file", read::path)?,
        })
    }

    fn load(&self) -> Result<Vec<Numbered>, Failure> {
        let mut keys = self.given.clone();
        if let Some(path) = &self.file {
            keys.extend(read(path)?);
        }
        Ok(keys)
    }

    /// The file that they are in.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.file.as_deref()
    }
}

fn read_one(path: &Path) -> Result<Numbered, Failure> {
    match <[Numbered; 1]>::try_from(read(path)?) {
        Ok([key]) => Ok(key),
        Err(_) => Err(invalid(path, "holds more than the key in use")
            .hint("keep other keys in SVC_MASTER_KEYS_OLD or SVC_MASTER_KEYS_OLD_FILE")),
    }
}

/// The keys of a file, one in a line.
fn read(path: &Path) -> Result<Vec<Numbered>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::new(
            "master_key_unreadable",
            format!("the key file {} cannot be read: {error}", path.display()),
        )
        .hint("check the path and that this user may read it")
    })?;
    let text = Zeroizing::new(text);
    text.trim()
        .lines()
        .map(|line| Numbered::read(line.trim()))
        .collect::<Result<Vec<_>, _>>()
        .and_then(|keys| if keys.is_empty() { Err("is empty".to_owned()) } else { Ok(keys) })
        .map_err(|wrong| {
            invalid(path, &wrong).hint("restore the file; a new key is made with `openssl rand -base64 32`")
        })
}

fn invalid(path: &Path, wrong: &str) -> Failure {
    Failure::new("master_key_invalid", format!("the key file {} {wrong}", path.display()))
}

/// Makes the file with a new key, unless another process made it in between.
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
    file.write_all(written::line(&key).as_bytes()).map_err(|error| failed(&error))?;
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
    fn a_key_file_is_made_once_and_for_its_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep/svc.key");
        make(&path).expect("made");
        let first = read_one(&path).expect("read");
        make(&path).expect("kept");
        assert_eq!(read_one(&path).expect("read again").expose(), first.expose());
        let mode = std::fs::metadata(&path).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_database_that_lost_its_key_file_is_not_given_another_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("svc.db");
        std::fs::write(&data, "a database").expect("written");
        let source = KeySource::Beside(data.with_extension("key"));
        let database = DatabaseUrl::Sqlite(data.clone());
        let failure = source.load(&OtherKeys::default(), &database).expect_err("refused");
        assert_eq!(failure.code(), "master_key_missing");
        assert!(!data.with_extension("key").exists());
    }

    #[test]
    fn keys_of_files_and_settings_come_together_and_each_number_is_single() {
        let folder = tempfile::tempdir().expect("a folder");
        let [current, old] = ["svc.key", "old.keys"].map(|name| folder.path().join(name));
        let write = |path: &Path, text: String| std::fs::write(path, text).expect("written");
        let database = DatabaseUrl::Postgres("postgres://localhost/svc".to_owned());
        let source = KeySource::File(current.clone());
        let given = vec![Numbered::read(&"03".repeat(32)).expect("valid")];
        let others = OtherKeys { given, file: Some(old.clone()) };

        write(&current, format!("3:{}\n", "01".repeat(32)));
        write(&old, format!("2:{}\n4:{}\n", "02".repeat(32), "04".repeat(32)));
        let keys = source.load(&others, &database).expect("valid");
        assert_eq!(keys.ids().collect::<Vec<_>>(), [3, 1, 2, 4]);

        write(&current, "01".repeat(32));
        let repeated = source.load(&others, &database).expect_err("refused");
        assert_eq!((repeated.code(), repeated.exit_code()), ("master_key_repeated", 2));
        write(&current, format!("5:{0}\n6:{0}", "01".repeat(32)));
        assert_eq!(source.load(&others, &database).expect_err("two").code(), "master_key_invalid");
        write(&old, String::new());
        assert!(others.load().expect_err("empty").message().contains("is empty"));
    }
}

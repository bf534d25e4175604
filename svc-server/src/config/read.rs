//! Turns what was written into what is meant.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use svc_auth::oauth::Issuer;

use hyper::header::HeaderName;
use ipnet::IpNet;
use svc_auth::session::Lifetime;
use svc_http::ScanningKey;
use svc_mail::{FolderMailer, InvalidSender, Sender, SmtpMailer};
use svc_storage_seaorm::Synchronous;
use svc_webhooks::retry::RetrySchedule;
use tracing_subscriber::EnvFilter;
use url::Url;

use super::keys;
use super::sources::{Sources, Written};
use super::{DatabaseUrl, FileSettings, MailSettings, PemFiles};
use crate::failure::Failure;

/// Longest deadline of an attempt: the specification (part 8) says 10 s, tests may go a little further.
const LONGEST_TIMEOUT: Duration = Duration::from_mins(1);

/// Reads settings, and says what is wrong with one.
pub(super) struct Reader<'a> {
    sources: &'a Sources,
}

impl<'a> Reader<'a> {
    pub(super) fn new(sources: &'a Sources) -> Self {
        Self { sources }
    }

    /// A setting that always has a value.
    pub(super) fn required<T>(&self, name: &str, read: fn(&str) -> Result<T, String>) -> Result<T, Failure> {
        self.optional(name, read)?.ok_or_else(|| self.broken(name, "has no value"))
    }

    /// A setting that may be left out.
    pub(super) fn optional<T>(
        &self,
        name: &str,
        read: fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Failure> {
        let Some(written) = self.written(name) else { return Ok(None) };
        match written.texts.as_slice() {
            [text] => read(text.trim()).map(Some).map_err(|wrong| self.broken(name, &wrong)),
            [] | [_, ..] => Err(self.broken(name, "takes one value")),
        }
    }

    /// A setting with any number of values, separated by commas.
    pub(super) fn list<T>(&self, name: &str, read: fn(&str) -> Result<T, String>) -> Result<Vec<T>, Failure> {
        let written = self.written(name).map(|written| written.texts).unwrap_or_default();
        let parts = written.iter().flat_map(|text| text.split(',')).map(str::trim);
        parts
            .filter(|part| !part.is_empty())
            .map(|part| read(part).map_err(|wrong| self.broken(name, &wrong)))
            .collect()
    }

    /// A list of one value at least.
    pub(super) fn some<T>(&self, name: &str, read: fn(&str) -> Result<T, String>) -> Result<Vec<T>, Failure> {
        let values = self.list(name, read)?;
        if values.is_empty() { Err(self.broken(name, "takes one value at least")) } else { Ok(values) }
    }

    pub(super) fn retry_waits(&self) -> Result<RetrySchedule, Failure> {
        let name = "webhooks.retry_waits";
        let waits = self.list(name, duration)?;
        let found = waits.len();
        let five = (found == 5).then(|| RetrySchedule::new(waits));
        five.and_then(Result::ok).ok_or_else(|| {
            self.broken(name, &format!("takes exactly five waits, found {found}"))
                .hint("write them as 1m,5m,30m,2h,12h: there are six attempts")
        })
    }

    /// A mail server needs an address that its mail may come from; a folder takes any.
    pub(super) fn mail(&self) -> Result<MailSettings, Failure> {
        let sender: Sender = self.required("mail.from", sender)?;
        let Some(url) = self.optional("mail.smtp_url", |url| Ok(url.to_owned()))? else {
            let folder = self.required("mail.folder", path)?;
            return Ok(MailSettings::Folder(FolderMailer::new(folder, sender)));
        };
        if self.written("mail.from").is_none_or(|written| written.origin == "default") {
            return Err(self.broken("mail.from", "is needed beside `mail.smtp_url`"));
        }
        let mailer = SmtpMailer::new(&url, sender);
        let mailer =
            mailer.map_err(|error| self.broken("mail.smtp_url", &format!("cannot be used: {error}")))?;
        Ok(MailSettings::Server(Arc::new(mailer)))
    }

    /// Contents are beside the SQLite database, where nothing else is said: they belong together.
    pub(super) fn files(&self, database: &DatabaseUrl) -> Result<FileSettings, Failure> {
        let url = self.optional("files.url", |url| {
            let known =
                ["file://", "s3://"].iter().any(|scheme| url.len() > scheme.len() && url.starts_with(scheme));
            let wanted = "takes file://FOLDER or s3://BUCKET/PREFIX?endpoint=URL&region=NAME";
            if known { Ok(url.to_owned()) } else { Err(wanted.to_owned()) }
        })?;
        let beside = match database {
            DatabaseUrl::Sqlite(path) => path.parent().unwrap_or(Path::new("")),
            DatabaseUrl::Postgres(_) => Path::new(""),
        };
        let url = url.unwrap_or_else(|| format!("file://{}", beside.join("files").display()));
        Ok(FileSettings { url, max_bytes: self.required("files.max_bytes", positive)? })
    }

    /// A session that may idle for longer than it may live is a slip of the pen.
    pub(super) fn lifetime(&self) -> Result<Lifetime, Failure> {
        let [idle, absolute] = ["sessions.idle", "sessions.absolute"].map(|name| self.required(name, life));
        let lifetime = Lifetime { idle: idle?, absolute: absolute? };
        if lifetime.absolute < lifetime.idle {
            return Err(self.broken("sessions.absolute", "is shorter than `sessions.idle`"));
        }
        Ok(lifetime)
    }

    pub(super) fn database(&self) -> Result<DatabaseUrl, Failure> {
        self.required("database_url", |text| match text.split_once("://") {
            Some(("sqlite", path)) if !path.is_empty() && !path.contains('?') && path != ":memory:" => {
                Ok(DatabaseUrl::Sqlite(path.into()))
            }
            Some(("postgres" | "postgresql", _)) => Ok(DatabaseUrl::Postgres(text.to_owned())),
            Some(_) | None => Err("takes sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME".to_owned()),
        })
    }

    /// Certificate and key come together.
    pub(super) fn pem_files(&self, [cert, key]: [&str; 2]) -> Result<Option<PemFiles>, Failure> {
        match (self.optional(cert, path)?, self.optional(key, path)?) {
            (Some(cert), Some(key)) => Ok(Some(PemFiles { cert, key })),
            (None, None) => Ok(None),
            (Some(_), None) => Err(self.broken(cert, &format!("needs its private key in `{key}`"))),
            (None, Some(_)) => Err(self.broken(key, &format!("needs its certificate in `{cert}`"))),
        }
    }

    /// The setting with its origin; `None` when no source has it.
    pub(super) fn written(&self, name: &str) -> Option<Written> {
        self.sources.written(keys::find(name).expect("settings are read by names of the table"))
    }

    /// What is wrong with a setting.
    pub(super) fn broken(&self, name: &str, wrong: &str) -> Failure {
        let key = keys::find(name).expect("settings are read by names of the table");
        let origin = self.sources.written(key).map_or_else(|| "not set".to_owned(), |found| found.origin);
        Failure::usage("invalid_setting", format!("`{name}` ({origin}) {wrong}")).hint(format!(
            "{}: {}",
            key.variable(),
            key.about
        ))
    }
}

fn sender(text: &str) -> Result<Sender, String> {
    text.parse().map_err(|error: InvalidSender| error.to_string())
}

#[expect(clippy::unnecessary_wraps, reason = "a reader of settings, as the others")]
pub(super) fn path(text: &str) -> Result<PathBuf, String> {
    Ok(PathBuf::from(text))
}

pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| format!("takes an address and a port such as 127.0.0.1:8080, not `{text}`"))
}

pub(super) fn synchronous(text: &str) -> Result<Synchronous, String> {
    match text {
        "full" => Ok(Synchronous::Full),
        "normal" => Ok(Synchronous::Normal),
        other => Err(format!("takes full or normal, not `{other}`")),
    }
}

pub(super) fn switch(text: &str) -> Result<bool, String> {
    match text {
        "true" | "1" | "yes" | "on" => Ok(true),
        "false" | "0" | "no" | "off" => Ok(false),
        other => Err(format!("takes true or false, not `{other}`")),
    }
}

/// A range, or a single address.
pub(super) fn network(text: &str) -> Result<IpNet, String> {
    text.parse()
        .or_else(|_| text.parse().map(|address: std::net::IpAddr| address.into()))
        .map_err(|_| format!("takes CIDR ranges such as 10.0.0.0/8, not `{text}`"))
}

/// A bare origin.
pub(super) fn origin(text: &str) -> Result<Issuer, String> {
    text.parse().map_err(|_| {
        format!("takes origins such as https://app.example or http://localhost:6274, not `{text}`")
    })
}

pub(super) fn base_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    url.filter(|url| url.query().is_none() && url.fragment().is_none())
        .ok_or_else(|| format!("takes a URL such as https://svc.example.com, not `{text}`"))
}

pub(super) fn header_name(text: &str) -> Result<HeaderName, String> {
    HeaderName::try_from(text).map_err(|_| format!("takes the name of an HTTP header, not `{text}`"))
}

pub(super) fn timeout(text: &str) -> Result<Duration, String> {
    let timeout = duration(text)?;
    if timeout.is_zero() || timeout > LONGEST_TIMEOUT {
        return Err(format!("takes a duration above 0s and up to 1m, not `{text}`"));
    }
    Ok(timeout)
}

pub(super) fn days(text: &str) -> Result<Duration, String> {
    let days: u32 = positive(text)?;
    Ok(Duration::from_hours(24) * days)
}

pub(super) fn positive<T: std::str::FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, String> {
    text.parse()
        .ok()
        .filter(|number| *number >= T::from(1))
        .ok_or_else(|| format!("takes a whole number above 0, not `{text}`"))
}

pub(super) fn number(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| format!("takes a whole number above 0, not `{text}`"))
}

/// A longest time; empty sets none.
pub(super) fn ceiling(text: &str) -> Result<Option<Duration>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    match duration(text)? {
        Duration::ZERO => Err("takes a duration above 0s, or nothing".to_owned()),
        longest => Ok(Some(longest)),
    }
}

fn life(text: &str) -> Result<Duration, String> {
    duration(text)
        .ok()
        .filter(|life| *life >= Duration::from_mins(1))
        .ok_or_else(|| format!("takes a duration from 1m such as 30m or 12h, not `{text}`"))
}

/// What secret scanners sign with; empty is none. No message shows a part of it.
pub(super) fn scanning_key(text: &str) -> Result<Option<ScanningKey>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = "takes at least 32 characters that cannot be guessed, or nothing".to_owned();
    ScanningKey::new(text).map(Some).ok_or(wrong)
}

pub(super) fn log_filter(text: &str) -> Result<String, String> {
    EnvFilter::try_new(text)
        .map(|_| text.to_owned())
        .map_err(|error| format!("takes a filter such as info or svc_webhooks=debug,warn: {error}"))
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| format!("takes durations such as 90s or 5m, not `{text}`"))
}

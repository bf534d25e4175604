//! Settings: read from their sources, checked, and turned into types.
//!
//! `keys` lists every setting as data, `sources` collects what was written
//! and where, and `Settings` is what the rest of the server works with. A
//! message about a setting names it, its origin and the way out.

pub(crate) mod keys;
mod master_key;
mod read;
pub(crate) mod sources;

use std::fmt;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use svc_business::catalogue::permissions;

use hyper::header::HeaderName;
use ipnet::IpNet;
use svc_auth::limit::Limits;
use svc_auth::oauth::Issuer;
use svc_auth::session::Lifetime;
use svc_auth::token::Policy;
use svc_http::ScanningKey;
use svc_mail::{FolderMailer, SmtpMailer};
use svc_storage_seaorm::{Keys, Synchronous};
use svc_webhooks::retry::RetrySchedule;
use url::Url;

pub(crate) use self::master_key::{KeySource, OtherKeys};
use self::read::Reader;
use self::sources::Sources;
use crate::failure::Failure;

/// Every setting, checked.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Where data is kept.
    pub(crate) database: DatabaseUrl,
    /// Connections to PostgreSQL, or readers of SQLite, at most.
    pub(crate) max_connections: u32,
    /// When SQLite takes a commit for durable.
    pub(crate) sqlite_synchronous: Synchronous,
    /// Where the master key in use comes from.
    pub(crate) key: KeySource,
    /// Master keys that stored data may still need.
    pub(crate) other_keys: OtherKeys,
    /// Address of the API.
    pub(crate) listen: SocketAddr,
    /// Address of metrics and health checks.
    pub(crate) admin_listen: SocketAddr,
    /// Certificate and key of the API, when it does TLS itself.
    pub(crate) tls: Option<PemFiles>,
    /// Base of links, when it was set.
    pub(crate) public_url: Option<Url>,
    /// Whether a proxy in front does TLS.
    pub(crate) behind_proxy: bool,
    /// Proxies whose word on client addresses counts.
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// The header in which they name the client.
    pub(crate) client_ip_header: HeaderName,
    /// The header in which they say `https`.
    pub(crate) forwarded_proto_header: HeaderName,
    /// How webhooks are sent.
    pub(crate) webhooks: WebhookSettings,
    /// How documents of assistants are read.
    pub(crate) mcp: McpSettings,
    /// How mail is sent.
    pub(crate) mail: MailSettings,
    /// Where contents of files are kept.
    pub(crate) files: FileSettings,
    /// Where notices are dropped.
    pub(crate) notices: Option<PathBuf>,
    /// What signed files are sealed with beside the master key.
    pub(crate) seal: Option<PemFiles>,
    /// Budgets of each primary account.
    pub(crate) limits: Limits,
    /// Failed authentications of one address per minute.
    pub(crate) failures_per_minute: NonZeroU32,
    /// What is asked of every new token.
    pub(crate) policy: Policy,
    /// How long people stay signed in.
    pub(crate) lifetime: Lifetime,
    /// What reports of secret scanners are signed with; `None` takes none.
    pub(crate) scanning_key: Option<ScanningKey>,
    /// Filter of the log.
    pub(crate) log: String,
}

/// PEM files of a certificate and its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PemFiles {
    /// The certificate chain.
    pub(crate) cert: PathBuf,
    /// Its private key.
    pub(crate) key: PathBuf,
}

/// How webhooks are sent.
#[derive(Clone, Debug)]
pub(crate) struct WebhookSettings {
    /// Ranges that may be reached although not public.
    pub(crate) exempt_targets: Vec<IpNet>,
    /// Ports of public targets.
    pub(crate) ports: Vec<u16>,
    /// PEM file of authorities to trust beside the public ones.
    pub(crate) extra_roots: Option<PathBuf>,
    /// The waits between attempts.
    pub(crate) schedule: RetrySchedule,
    /// One deadline for each attempt.
    pub(crate) timeout: Duration,
    /// How long ended deliveries are kept.
    pub(crate) keep: Duration,
}

/// How documents of assistants are read.
#[derive(Clone, Debug)]
pub(crate) struct McpSettings {
    /// Ranges that may be reached although not public.
    pub(crate) exempt_targets: Vec<IpNet>,
    /// PEM file of authorities to trust beside the public ones.
    pub(crate) extra_roots: Option<PathBuf>,
    /// Sites whose pages may call `/mcp`, beside the own one.
    pub(crate) allowed_origins: Vec<Issuer>,
}

/// Where contents of files are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileSettings {
    /// The address of the content store.
    pub(crate) url: String,
    /// Bytes of the largest file that is taken.
    pub(crate) max_bytes: u64,
}

/// How mail is sent.
#[derive(Clone)]
pub(crate) enum MailSettings {
    /// By a mail server.
    Server(Arc<SmtpMailer>),
    /// Into a folder.
    Folder(FolderMailer),
}

impl fmt::Debug for MailSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The URL has a password.
        f.write_str(match self {
            Self::Server(_) => "Server",
            Self::Folder(_) => "Folder",
        })
    }
}

/// Where data is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DatabaseUrl {
    /// A file of this machine.
    Sqlite(PathBuf),
    /// A PostgreSQL server; the URL may carry a password.
    Postgres(String),
}

impl Settings {
    /// Validator what the sources say.
    pub(crate) fn check(sources: &Sources) -> Result<Self, Failure> {
        let reader = Reader::new(sources);
        let database = reader.database()?;
        let settings = Self {
            key: KeySource::choose(&reader, &database)?,
            other_keys: OtherKeys::choose(&reader)?,
            files: reader.files(&database)?,
            database,
            max_connections: reader.required("max_connections", read::positive)?,
            sqlite_synchronous: reader.required("sqlite.synchronous", read::synchronous)?,
            listen: reader.required("listen", read::address)?,
            admin_listen: reader.required("admin_listen", read::address)?,
            tls: reader.pem_files(["tls.cert", "tls.key"])?,
            notices: reader.optional("notices.folder", read::path)?,
            seal: reader.pem_files(["seal.cert", "seal.key"])?,
            public_url: reader.optional("public_url", read::base_url)?,
            behind_proxy: reader.required("behind_proxy", read::switch)?,
            trusted_proxies: reader.list("trusted_proxies", read::network)?,
            client_ip_header: reader.required("client_ip_header", read::header_name)?,
            forwarded_proto_header: reader.required("forwarded_proto_header", read::header_name)?,
            webhooks: WebhookSettings {
                exempt_targets: reader.list("webhooks.exempt_targets", read::network)?,
                ports: reader.some("webhooks.ports", read::positive)?,
                extra_roots: reader.optional("webhooks.extra_roots", read::path)?,
                schedule: reader.retry_waits()?,
                timeout: reader.required("webhooks.timeout", read::timeout)?,
                keep: reader.required("webhooks.keep_days", read::days)?,
            },
            mcp: McpSettings {
                exempt_targets: reader.list("mcp.exempt_targets", read::network)?,
                extra_roots: reader.optional("mcp.extra_roots", read::path)?,
                allowed_origins: reader.list("mcp.allowed_origins", read::origin)?,
            },
            mail: reader.mail()?,
            limits: Limits {
                per_minute: reader.required("limits.per_minute", read::positive)?,
                per_month: reader.required("limits.per_month", read::positive)?,
            },
            failures_per_minute: reader.required("limits.failures_per_minute", read::number)?,
            policy: Policy {
                longest_life: reader.required("tokens.longest_life", read::ceiling)?,
                ..Policy::of(permissions())
            },
            lifetime: reader.lifetime()?,
            scanning_key: reader.required("secret_scanning.key", read::scanning_key)?,
            log: reader.required("log", read::log_filter)?,
        };
        settings.refuse_plain_http(&reader)?;
        Ok(settings)
    }

    /// The keys that storage encrypts and fingerprints with; makes the key file of a new SQLite database.
    pub(crate) fn keys(&self) -> Result<Keys, Failure> {
        self.key.load(&self.other_keys, &self.database)
    }

    /// The base of links for an API that listens on `bound`, without a slash at the end.
    pub(crate) fn public_url(&self, bound: SocketAddr) -> String {
        match &self.public_url {
            Some(url) => url.as_str().trim_end_matches('/').to_owned(),
            None => format!("{}://{bound}", if self.tls.is_some() { "https" } else { "http" }),
        }
    }

    /// Whether an API with these settings may be served: a public URL of https over plain HTTP means a
    /// proxy in front, and one that is not listed and adds no header would pass for this machine.
    pub(crate) fn may_serve(&self) -> Result<(), Failure> {
        let public = self.public_url.as_ref().is_some_and(|url| url.scheme() == "https");
        if !public || self.tls.is_some() || !self.trusted_proxies.is_empty() {
            return Ok(());
        }
        let wrong = "`public_url` is https, but the server would listen in the clear and trust no proxy";
        Err(Failure::usage("proxy_not_listed", wrong).hint(
            "set SVC_BEHIND_PROXY=true and SVC_TRUSTED_PROXIES to the addresses of the proxy that does TLS \
             (127.0.0.1 for one on this machine), or SVC_TLS__CERT and SVC_TLS__KEY, or leave SVC_PUBLIC_URL out; `serve \
             --dispatch-only` serves no API and needs none of it but SVC_PUBLIC_URL, with which links in mails begin",
        ))
    }

    /// A token must never travel in the clear (specification, preamble).
    fn refuse_plain_http(&self, reader: &Reader<'_>) -> Result<(), Failure> {
        if self.behind_proxy && self.trusted_proxies.is_empty() {
            return Err(reader
                .broken("behind_proxy", "needs the addresses of the proxy")
                .hint("set SVC_TRUSTED_PROXIES to its CIDR ranges, for example 10.0.0.0/8"));
        }
        if self.listen.ip().is_loopback() || self.behind_proxy || self.tls.is_some() {
            return Ok(());
        }
        Err(reader.broken("listen", "would serve plain HTTP beyond this machine").hint(
            "listen on 127.0.0.1, or set SVC_TLS__CERT and SVC_TLS__KEY, or put a TLS proxy in front and set \
             SVC_BEHIND_PROXY=true and SVC_TRUSTED_PROXIES to its CIDR ranges",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pairs: &[(&str, &str)]) -> Result<Settings, Failure> {
        let variables = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Settings::check(&Sources::read(None, variables, Vec::new())?)
    }

    fn refusal(pairs: &[(&str, &str)]) -> Failure {
        check(pairs).expect_err("refused")
    }

    #[test]
    fn the_defaults_are_the_published_ones() {
        let settings = check(&[]).expect("valid");
        assert_eq!(settings.database, DatabaseUrl::Sqlite("data/svc.db".into()));
        let files = FileSettings { url: "file://data/files".to_owned(), max_bytes: 25 * 1024 * 1024 };
        assert_eq!(settings.files, files);
        assert_eq!(settings.webhooks.schedule, RetrySchedule::STANDARD);
        assert_eq!(settings.webhooks.timeout, Duration::from_secs(10));
        assert_eq!(settings.limits, Limits { per_minute: 300, per_month: 200_000 });
        assert_eq!(settings.failures_per_minute.get(), 60);
        assert_eq!(settings.policy, Policy::of(permissions()));
        assert_eq!(settings.lifetime, Lifetime::default());
        assert!(settings.scanning_key.is_none());
        assert_eq!(settings.forwarded_proto_header, "x-forwarded-proto");
        assert_eq!(settings.public_url(settings.listen), "http://127.0.0.1:8080");
    }

    #[test]
    fn plain_http_leaves_the_machine_only_behind_a_named_proxy() {
        let open = ("SVC_LISTEN", "0.0.0.0:8080");
        assert!(refusal(&[open]).message().contains("`listen`"));
        assert!(refusal(&[open, ("SVC_BEHIND_PROXY", "true")]).hint_text().is_some());
        let proxied = [open, ("SVC_BEHIND_PROXY", "true"), ("SVC_TRUSTED_PROXIES", "10.0.0.0/8, ::1")];
        assert_eq!(check(&proxied).expect("allowed").trusted_proxies.len(), 2);
        assert!(check(&[("SVC_LISTEN", "[::1]:8080")]).is_ok());
        let tls = check(&[open, ("SVC_TLS__CERT", "c.pem"), ("SVC_TLS__KEY", "k.pem")]).expect("allowed");
        assert_eq!(tls.public_url(tls.listen), "https://0.0.0.0:8080");
    }

    #[test]
    fn an_https_url_needs_tls_or_a_named_proxy_to_be_served() {
        let public = ("SVC_PUBLIC_URL", "https://svc.example.com");
        let served = |pairs: &[_]| check(&[&[public], pairs].concat()).expect("valid").may_serve();
        for alone in [&[][..], &[("SVC_TRUSTED_PROXIES", "")]] {
            let failure = served(alone).expect_err("refused");
            assert!(failure.message().contains("`public_url`"), "{failure}");
            assert!(
                failure.hint_text().is_some_and(|hint| hint.contains("SVC_TRUSTED_PROXIES")),
                "{failure}"
            );
        }
        assert_eq!(served(&[("SVC_TRUSTED_PROXIES", "127.0.0.1")]), Ok(()));
        assert_eq!(served(&[("SVC_TLS__CERT", "c.pem"), ("SVC_TLS__KEY", "k.pem")]), Ok(()));
        let plain = check(&[("SVC_PUBLIC_URL", "http://localhost:8080")]).expect("valid");
        assert_eq!(plain.may_serve(), Ok(()));
    }

    #[test]
    fn there_are_exactly_five_waits() {
        let waits = |text| check(&[("SVC_WEBHOOKS__RETRY_WAITS", text)]).map(|found| found.webhooks.schedule);
        let millis = RetrySchedule::new([1, 2, 3, 4, 5].map(Duration::from_millis)).expect("five");
        assert_eq!(waits("1ms,2ms,3ms,4ms,5ms"), Ok(millis));
        assert!(waits("1s,1s,1s,1s").expect_err("four").message().contains("exactly five waits, found 4"));
        assert!(waits("1s,1s,1s,1s,soon").expect_err("no time").message().contains("`soon`"));
    }

    #[test]
    fn a_bad_value_names_its_setting_its_origin_and_what_would_be_right() {
        for (variable, value) in [
            ("SVC_LISTEN", "localhost"),
            ("SVC_BEHIND_PROXY", "maybe"),
            ("SVC_TRUSTED_PROXIES", "10.0.0.0/99"),
            ("SVC_WEBHOOKS__TIMEOUT", "0s"),
            ("SVC_WEBHOOKS__TIMEOUT", "10m"),
            ("SVC_WEBHOOKS__KEEP_DAYS", "-1"),
            ("SVC_LIMITS__PER_MINUTE", "0"),
            ("SVC_PUBLIC_URL", "ftp://example.com"),
            ("SVC_DATABASE_URL", "mysql://x"),
            ("SVC_CLIENT_IP_HEADER", "not a header"),
            ("SVC_LOG", "svc=loudly"),
            ("SVC_FILES__URL", "ftp://files"),
            ("SVC_FILES__MAX_BYTES", "0"),
            ("SVC_SQLITE__SYNCHRONOUS", "off"),
            ("SVC_MAX_CONNECTIONS", "none"),
            ("SVC_TLS__CERT", "cert.pem"),
            ("SVC_MASTER_KEY", "short"),
            ("SVC_MASTER_KEY", ""),
            ("SVC_MASTER_KEYS_OLD", "1:short"),
            ("SVC_TOKENS__LONGEST_LIFE", "0s"),
            ("SVC_TOKENS__LONGEST_LIFE", "90"),
            ("SVC_SESSIONS__IDLE", "0s"),
            ("SVC_SESSIONS__ABSOLUTE", "10m"),
            ("SVC_LIMITS__FAILURES_PER_MINUTE", "0"),
            ("SVC_SECRET_SCANNING__KEY", "guess me"),
            ("SVC_FORWARDED_PROTO_HEADER", "not a header"),
        ] {
            let failure = refusal(&[(variable, value)]);
            assert!(failure.message().contains(variable), "{variable}: {failure}");
            assert_eq!(failure.exit_code(), 2);
        }
    }

    #[test]
    fn tokens_and_sessions_live_as_long_as_the_settings_say() {
        let settings = check(&[
            ("SVC_TOKENS__LONGEST_LIFE", "90d"),
            ("SVC_SESSIONS__IDLE", "5m"),
            ("SVC_SESSIONS__ABSOLUTE", "1h"),
            ("SVC_SECRET_SCANNING__KEY", &"0a".repeat(32)),
            ("SVC_LIMITS__FAILURES_PER_MINUTE", "7"),
        ])
        .expect("valid");
        assert_eq!(settings.policy.longest_life, Some(Duration::from_hours(90 * 24)));
        let (idle, absolute) = (Duration::from_mins(5), Duration::from_hours(1));
        assert_eq!(settings.lifetime, Lifetime { idle, absolute });
        assert!(settings.scanning_key.is_some() && settings.failures_per_minute.get() == 7);
    }

    #[test]
    fn postgresql_needs_a_master_key() {
        let url = ("SVC_DATABASE_URL", "postgres://svc@localhost/svc");
        assert!(refusal(&[url]).hint_text().is_some_and(|hint| hint.contains("SVC_MASTER_KEY")));
        let key = "0b".repeat(32);
        assert!(check(&[url, ("SVC_MASTER_KEY", &key)]).is_ok());
        let both = refusal(&[url, ("SVC_MASTER_KEY", &key), ("SVC_MASTER_KEY_FILE", "svc.key")]);
        assert!(both.message().contains("master_key_file"));
    }
}

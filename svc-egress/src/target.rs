//! What a URL asks for: scheme, host and port.

use std::net::IpAddr;

use svc_webhooks::ports::Refusal;
use url::{Host, Url};

/// The part of a URL that decides where a connection goes.
///
/// The check at registration and the connector both read it from the same
/// parser, so that no spelling (`[::1]`, `0x7f.1`, `LOCALHOST.`) means one thing
/// to one and something else to the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// Whether the connection is TLS.
    pub(crate) secure: bool,
    pub(crate) host: TargetHost,
    pub(crate) port: u16,
}

/// A host, read once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TargetHost {
    /// Lower case, in ASCII, without the dot at its end.
    Name(String),
    /// An address written in the URL itself.
    Address(IpAddr),
}

impl Target {
    /// Reads the target of a URL.
    pub(crate) fn of(url: &Url) -> Result<Self, Refusal> {
        let (secure, default_port) = match url.scheme() {
            "https" => (true, 443),
            "http" => (false, 80),
            _ => return Err(Refusal::NotHttps),
        };
        let host = match url.host() {
            Some(Host::Domain(name)) => TargetHost::Name(normalised(name)?),
            Some(Host::Ipv4(address)) => TargetHost::Address(address.into()),
            Some(Host::Ipv6(address)) => TargetHost::Address(address.into()),
            None => return Err(Refusal::Unresolvable(String::new())),
        };
        Ok(Self { secure, host, port: url.port().unwrap_or(default_port) })
    }
}

impl TargetHost {
    /// The name if it is one of those that only mean something inside a network.
    pub(crate) fn internal_name(&self) -> Option<&str> {
        match self {
            Self::Name(name) if is_internal(name) => Some(name),
            Self::Name(_) | Self::Address(_) => None,
        }
    }
}

fn normalised(name: &str) -> Result<String, Refusal> {
    let kept = name.trim_end_matches('.').to_ascii_lowercase();
    if kept.is_empty() { Err(Refusal::Unresolvable(name.to_owned())) } else { Ok(kept) }
}

fn is_internal(name: &str) -> bool {
    !name.contains('.')
        || INTERNAL_SUFFIXES.iter().any(|suffix| {
            name.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        })
}

/// Names that the public DNS does not serve: RFC 6761 and 6762, RFC 8375, ICANN's
/// `internal`, and what routers and companies use by habit.
const INTERNAL_SUFFIXES: &[&str] = &[
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "home.arpa",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn host(url: &str) -> TargetHost {
        Target::of(&Url::parse(url).unwrap()).unwrap().host
    }

    #[test]
    fn every_spelling_of_an_address_is_read_as_the_address() {
        for text in ["127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "127.0.0.1.", "127。0。0。1"]
        {
            assert_eq!(
                host(&format!("https://{text}/")),
                TargetHost::Address([127, 0, 0, 1].into()),
                "{text}"
            );
        }
        assert_eq!(host("https://[0:0::1]/"), TargetHost::Address("::1".parse().unwrap()));
    }

    #[test]
    fn names_lose_their_case_and_trailing_dots() {
        assert_eq!(host("https://Hooks.Example.COM./"), TargetHost::Name("hooks.example.com".to_owned()));
    }

    #[test]
    fn internal_names_are_known_by_their_suffix_only() {
        for name in
            ["localhost", "a.localhost", "localhost.", "db", "x.home.arpa", "METADATA.google.internal"]
        {
            assert!(host(&format!("https://{name}/")).internal_name().is_some(), "{name}");
        }
        for name in [
            "notlocalhost.com",
            "localhost.example.com",
            "mylocal.dev",
            "internal.example.com",
            "arpa.example",
        ] {
            assert_eq!(host(&format!("https://{name}/")).internal_name(), None, "{name}");
        }
    }

    #[test]
    fn ports_default_by_scheme() {
        let port = |url| Target::of(&Url::parse(url).unwrap()).unwrap().port;
        assert_eq!(port("https://a.example/"), 443);
        assert_eq!(port("http://a.example/"), 80);
        assert_eq!(port("https://a.example:8443/"), 8443);
    }
}

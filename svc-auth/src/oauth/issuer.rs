//! Where the service is for the world: what all its addresses are made of.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use url::Url;

/// The public origin of the service, which is the issuer of its tokens (RFC 8414, section 2): `https://HOST`, with a
/// port where it is another one than 443; `http` on the loopback alone. Without a slash at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer(String);

/// The text is no public origin.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("write the public origin as https://HOST or https://HOST:PORT, without a path")]
pub struct MalformedIssuer;

impl Issuer {
    /// The address of the MCP server: the resource that all tokens of OAuth are for (RFC 8707).
    #[must_use]
    pub fn resource(&self) -> String {
        format!("{}/mcp", self.0)
    }

    /// The origin.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the parameter `resource` names the MCP server. A client may leave it out, or name the whole origin: there
    /// is one resource, and every token is for that one.
    #[must_use]
    pub fn is_meant_by(&self, resource: Option<&str>) -> bool {
        let Some(resource) = resource else { return true };
        let resource = resource.strip_suffix('/').unwrap_or(resource);
        resource == self.0 || resource.strip_suffix("/mcp") == Some(&*self.0)
    }
}

impl FromStr for Issuer {
    type Err = MalformedIssuer;

    fn from_str(text: &str) -> Result<Self, MalformedIssuer> {
        let url = Url::parse(text).map_err(|_| MalformedIssuer)?;
        let origin = url.origin().ascii_serialization();
        let loopback = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
        let sound = url.scheme() == "https" || url.scheme() == "http" && loopback;
        if sound && text.strip_suffix('/').unwrap_or(text) == origin {
            Ok(Self(origin))
        } else {
            Err(MalformedIssuer)
        }
    }
}

impl fmt::Display for Issuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_is_an_origin_and_nothing_more() {
        for text in
            ["https://svc.example", "https://svc.example:8443", "http://localhost:8080", "http://[::1]:8080"]
        {
            assert_eq!(text.parse::<Issuer>().map(|issuer| issuer.to_string()), Ok(text.to_owned()));
        }
        let slashed: Issuer = "https://svc.example/".parse().expect("an issuer");
        assert_eq!(slashed.resource(), "https://svc.example/mcp");
        for text in [
            "",
            "svc.example",
            "http://svc.example",
            "https://svc.example/app",
            "https://svc.example//",
            "https://svc.example:443",
            "https://me@svc.example",
            "https://svc.example?x",
            "https://svc.example#x",
            "ftp://svc.example",
        ] {
            assert_eq!(text.parse::<Issuer>(), Err(MalformedIssuer), "{text}");
        }
    }

    #[test]
    fn the_resource_may_be_named_in_five_ways() {
        let issuer: Issuer = "https://svc.example".parse().expect("an issuer");
        for resource in [
            "https://svc.example/mcp",
            "https://svc.example/mcp/",
            "https://svc.example",
            "https://svc.example/",
        ] {
            assert!(issuer.is_meant_by(Some(resource)), "{resource}");
        }
        assert!(issuer.is_meant_by(None));
        for resource in [
            "",
            "/mcp",
            "https://svc.example/mcp//",
            "https://svc.example//",
            "https://svc.example/api",
            "https://SVC.example/mcp",
            "http://svc.example/mcp",
            "https://svc.example.evil/mcp",
            "https://svc.example/mcp?x",
            "https://svc.example/mcp/mcp",
        ] {
            assert!(!issuer.is_meant_by(Some(resource)), "{resource}");
        }
    }
}

//! The decision: may this target be reached at these addresses?

use std::net::IpAddr;

use ipnet::IpNet;
use svc_webhooks::ports::Refusal;

use crate::address::why_not_public;
use crate::target::Target;

/// What may be reached.
///
/// An exempt target is one of which **every** address lies in an exempt block;
/// it may use http, an internal name and any port. Anything else must be https,
/// on one of the ports, under a public name, at public addresses only. A name is
/// never exempt by itself: who answers for it may change.
#[derive(Debug)]
pub(crate) struct EgressPolicy {
    /// Blocks that may be reached although they are not public.
    pub(crate) exempt: Vec<IpNet>,
    /// Ports that public targets may use.
    pub(crate) ports: Vec<u16>,
}

impl Default for EgressPolicy {
    /// No exemption, ports 443 and 8443.
    fn default() -> Self {
        Self { exempt: Vec::new(), ports: vec![443, 8443] }
    }
}

impl EgressPolicy {
    /// Decides without addresses, where no address could change the answer.
    ///
    /// This keeps names that are refused anyway out of the DNS.
    pub(crate) fn before_resolution(&self, target: &Target) -> Result<(), Refusal> {
        if self.exempt.is_empty() { self.judge_form(target) } else { Ok(()) }
    }

    /// Decides about a target and all of its addresses.
    pub(crate) fn judge(&self, target: &Target, addresses: &[IpAddr]) -> Result<(), Refusal> {
        if !addresses.is_empty() && addresses.iter().all(|address| self.exempts(*address)) {
            return Ok(());
        }
        self.judge_form(target)?;
        addresses.iter().try_for_each(|address| self.judge_address(*address))
    }

    /// What scheme, name and port of a target that is not exempt must be.
    pub(crate) fn judge_form(&self, target: &Target) -> Result<(), Refusal> {
        if !target.secure {
            return Err(Refusal::NotHttps);
        }
        if let Some(name) = target.host.internal_name() {
            return Err(Refusal::InternalName(name.to_owned()));
        }
        if !self.ports.contains(&target.port) {
            return Err(Refusal::Port(target.port));
        }
        Ok(())
    }

    fn judge_address(&self, address: IpAddr) -> Result<(), Refusal> {
        match why_not_public(address) {
            Some(reason) if !self.exempts(address) => Err(Refusal::NotPublic { address, reason }),
            Some(_) | None => Ok(()),
        }
    }

    /// A mapped address (`::ffff:10.0.0.1`) is the IPv4 address that it names:
    /// the kernel connects to just that. No other form is unwrapped here.
    fn exempts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.exempt.iter().any(|block| block.contains(&address))
    }
}

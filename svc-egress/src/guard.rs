//! Resolution and decision in one step, so that nothing can come between them.

use std::net::SocketAddr;
use std::sync::Arc;

use svc_webhooks::ports::Refusal;

use crate::policy::EgressPolicy;
use crate::resolver::Resolver;
use crate::target::{Target, TargetHost};

/// Decides where connections go: the only source of socket addresses here.
#[derive(Clone)]
pub(crate) struct Guard {
    policy: Arc<EgressPolicy>,
    resolver: Arc<dyn Resolver>,
}

impl Guard {
    pub(crate) fn new(policy: EgressPolicy, resolver: Arc<dyn Resolver>) -> Self {
        Self { policy: Arc::new(policy), resolver }
    }

    /// The same decisions about what another resolver finds.
    pub(crate) fn resolving_by(&self, resolver: Arc<dyn Resolver>) -> Self {
        Self { policy: Arc::clone(&self.policy), resolver }
    }

    /// Resolves a target once and answers its addresses if all of them pass.
    pub(crate) async fn admit(&self, target: &Target) -> Result<Vec<SocketAddr>, Refusal> {
        self.policy.before_resolution(target)?;
        let addresses = match &target.host {
            TargetHost::Address(address) => vec![*address],
            TargetHost::Name(name) => match self.resolver.resolve(name).await {
                Ok(addresses) if !addresses.is_empty() => addresses,
                Ok(_) | Err(_) => {
                    // Apart from what the DNS says, the URL itself may be at fault.
                    self.policy.judge_form(target)?;
                    return Err(Refusal::Unresolvable(name.clone()));
                }
            },
        };
        self.policy.judge(target, &addresses)?;
        Ok(addresses.into_iter().map(|address| SocketAddr::new(address, target.port)).collect())
    }

    /// Decides about the address at the other end of an open connection.
    pub(crate) fn admit_peer(&self, target: &Target, peer: SocketAddr) -> Result<(), Refusal> {
        self.policy.judge(target, &[peer.ip()])
    }
}

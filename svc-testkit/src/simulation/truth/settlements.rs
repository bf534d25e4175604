//! What may be settled, and how often.

use std::time::Duration;

use svc_core::id::DeliveryId;
use svc_webhooks::ports::Settlement;

use super::{Known, Process, Truth, short};
use crate::simulation::clock::SKEW;

impl Truth {
    /// Attempts were written back, and the store says how many counted: those under the leases that stand.
    pub(in super::super) fn settled(&self, server: Process, settlements: &[Settlement], counted: u64) {
        let mut ours = 0;
        for settlement in settlements {
            let id = settlement.delivery.id;
            let checked = {
                let known = &mut *self.known();
                let stands =
                    known.current_leases.get(&id).is_some_and(|(lease, _)| *lease == settlement.lease);
                stands.then(|| {
                    known.current_leases.remove(&id);
                    known.settle(settlement)
                })
            };
            match checked {
                Some(Ok(())) => {
                    ours += 1;
                    let status = settlement.delivery.status();
                    self.tell(|| format!("server {server}: settles {}: {status}", short(id)));
                }
                Some(Err(why)) => self.broken(format!("delivery {} was settled, and {why}", short(id))),
                None => {
                    self.known().stale += 1;
                    self.tell(|| format!("server {server}: is too late to settle {}", short(id)));
                }
            }
        }
        if ours != counted && self.violation().is_none() {
            self.broken(format!("{counted} settlements counted, and {ours} of the leases stood"));
        }
    }
}

impl Known {
    fn settle(&mut self, settlement: &Settlement) -> Result<(), String> {
        let Settlement { delivery, attempt, .. } = settlement;
        let accepted = self.accepted.contains(&delivery.id);
        let was_off = self.was_ever_off(delivery.id);
        let life = self.lives.entry(delivery.id).or_default();
        if life.ended {
            return Err("it had ended".to_owned());
        }
        match attempt {
            Some(attempt) => {
                life.attempts += 1;
                if attempt.number != life.attempts || attempt.number > delivery.max_attempts {
                    return Err(format!("attempt {} is its {}th", attempt.number, life.attempts));
                }
                // Two clocks are off, each one way.
                let early = life.due_at.is_some_and(|due| attempt.at.plus(allowance()) < due);
                if early {
                    return Err(format!("attempt {} came before it was due", attempt.number));
                }
                if attempt.outcome.arrived() && !accepted {
                    return Err("no receiver has accepted it".to_owned());
                }
            }
            None if was_off => {}
            None => return Err("it was given up although its subscription was never off".to_owned()),
        }
        life.due_at = delivery.next_attempt_at();
        life.ended = life.due_at.is_none();
        Ok(())
    }

    fn was_ever_off(&self, delivery: DeliveryId) -> bool {
        let subscription = self.deliveries.get(&delivery).map(|(_, subscription)| *subscription);
        let states = subscription.and_then(|subscription| self.subscriptions.get(&subscription));
        let mut states = states.into_iter().flatten();
        states.any(|(_, state)| state.as_ref().is_none_or(|state| !state.is_active()))
    }
}

fn allowance() -> Duration {
    2 * SKEW
}

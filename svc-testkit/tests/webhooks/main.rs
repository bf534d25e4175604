//! Webhooks against what must be: histories beside a model, and simulated worlds in which everything goes
//! wrong; and that both see a store that is broken.

mod access;
mod broken;
mod histories;
mod worlds;

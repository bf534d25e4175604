//! Webhooks against what must be: histories beside a model, and simulated worlds in which everything goes
//! wrong; and that both detect a store that is broken.

mod broken;
mod detection;
mod histories;
mod worlds;

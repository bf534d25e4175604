//! The API as its clients see it: requests in, whole answers out.

#[cfg(test)]
mod accounts;
#[cfg(test)]
mod authority;
#[cfg(test)]
mod contacts;
#[cfg(test)]
mod document;
#[cfg(test)]
mod failure;
#[cfg(test)]
mod idempotency;
#[cfg(test)]
mod input;
#[cfg(test)]
mod socket;
#[cfg(test)]
mod webhooks;
#[cfg(test)]
mod world;

//! Signing in, sessions and passwords against storage in memory, with a clock
//! moved by hand and cheap hashes.

#![expect(clippy::print_stdout, reason = "some tests print the figures that they measured")]

#[cfg(test)]
mod approvals;
#[cfg(test)]
mod assistants;
#[cfg(test)]
mod clients;
#[cfg(test)]
mod failure;
#[cfg(test)]
mod oauth;
mod password;
#[cfg(test)]
mod resume;
#[cfg(test)]
mod second_factor;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod sign_in;
#[cfg(test)]
mod test_app;
#[cfg(test)]
mod throttle;
#[cfg(test)]
mod watched;

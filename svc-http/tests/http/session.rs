//! Signing in, being signed in, signing out.

mod guard;
mod life;
mod password;
mod second_factor;

//! Frames: four bytes of length, the highest first, and as many bytes of JSON.
//!
//! They may hold passwords and values of tokens: their bytes are wiped, and no
//! error repeats them.

use std::io;
use std::time::Duration;

use secrecy::zeroize::Zeroizing;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::time::timeout;

/// Bytes of the longest frame.
pub(super) const LONGEST: usize = 1024 * 1024;

/// Why there is no message.
#[derive(Debug, thiserror::Error)]
pub(super) enum FrameError {
    /// More bytes than are taken.
    #[error("a message has {LONGEST} bytes at most")]
    TooLong,
    /// Too slow.
    #[error("the message did not come in time")]
    Late,
    /// The connection ended, or was closed by the other end.
    #[error("the connection ended")]
    Ended(#[from] io::Error),
    /// The bytes are no such message; which is not told, for they may be secret.
    #[error("the message is not understood, from its byte {at} on")]
    Malformed {
        /// Where the reading stopped.
        at: usize,
    },
}

/// Reads the bytes of one frame.
pub(super) async fn read(
    stream: &mut (impl AsyncRead + Send + Unpin),
    deadline: Duration,
) -> Result<Zeroizing<Vec<u8>>, FrameError> {
    let read = async {
        let length = usize::try_from(stream.read_u32().await?).unwrap_or(usize::MAX);
        if length > LONGEST {
            return Err(FrameError::TooLong);
        }
        let mut bytes = Zeroizing::new(vec![0; length]);
        stream.read_exact(&mut bytes).await?;
        Ok(bytes)
    };
    timeout(deadline, read).await.unwrap_or(Err(FrameError::Late))
}

/// Reads the message in the bytes of a frame.
pub(super) fn message<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, FrameError> {
    serde_json::from_slice(bytes).map_err(|error| FrameError::Malformed { at: error.column() })
}

/// Writes one frame.
pub(super) async fn write(
    stream: &mut (impl AsyncWrite + Send + Unpin),
    message: &(impl Serialize + Sync),
    deadline: Duration,
) -> Result<(), FrameError> {
    // Into room for nearly all of it: bytes that grow leave copies behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(16 * 1024));
    serde_json::to_writer(&mut *bytes, message).map_err(|error| FrameError::Ended(error.into()))?;
    let length = u32::try_from(bytes.len()).ok().filter(|_| bytes.len() <= LONGEST);
    let length = length.ok_or(FrameError::TooLong)?;
    let write = async {
        stream.write_u32(length).await?;
        stream.write_all(&bytes).await?;
        stream.flush().await
    };
    timeout(deadline, write).await.map_err(|_| FrameError::Late)?.map_err(FrameError::Ended)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_secs(1);

    #[tokio::test]
    async fn what_is_written_is_read() {
        let (mut here, mut there) = tokio::io::duplex(64);
        let (text, read) = ("ñ".repeat(100), read(&mut there, SOON));
        let (written, bytes) = tokio::join!(write(&mut here, &text, SOON), read);
        written.expect("written");
        assert_eq!(message::<String>(&bytes.expect("read")).expect("understood"), text);
    }

    #[tokio::test]
    async fn what_is_too_long_is_neither_read_nor_written() {
        let (mut here, mut there) = tokio::io::duplex(64);
        let wrote = write(&mut here, &"x".repeat(LONGEST), SOON).await;
        assert!(matches!(wrote, Err(FrameError::TooLong)));
        here.write_u32(1024 * 1024 + 1).await.expect("written");
        assert!(matches!(read(&mut there, SOON).await, Err(FrameError::TooLong)));
    }

    #[tokio::test(start_paused = true)]
    async fn half_a_frame_is_waited_for_until_the_deadline_and_no_error_repeats_it() {
        let (mut here, mut there) = tokio::io::duplex(64);
        here.write_all(&[0, 0, 0, 9, b'"']).await.expect("written");
        assert!(matches!(read(&mut there, SOON).await, Err(FrameError::Late)));
        drop(here);
        assert!(matches!(read(&mut there, SOON).await, Err(FrameError::Ended(_))));
        let refused = message::<u32>(br#""secret""#).expect_err("no number");
        let FrameError::Malformed { at } = &refused else { panic!("{refused:?}") };
        assert_eq!(*at, 8);
        assert!(!format!("{refused} {refused:?}").contains("secret"));
    }
}

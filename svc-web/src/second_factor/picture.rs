//! A text as a picture for the camera of a device: a QR code (ISO/IEC 18004), drawn as SVG.

use std::fmt::Write as _;

use qrcode::{Color, QrCode};
use svc_http::Problem;

/// Empty modules around the code, as the standard asks for.
const MARGIN: usize = 4;

/// A square of dark modules on a light ground.
pub(super) struct Picture {
    /// Modules of a side, margins included.
    pub(super) side: usize,
    /// The dark ones, as data of a path.
    pub(super) dark: String,
}

impl Picture {
    /// The code of a text.
    pub(super) fn of(text: &str) -> Result<Self, Problem> {
        let code = QrCode::new(text).map_err(|error| {
            tracing::error!(%error, "a QR code could not be made");
            Problem::internal()
        })?;
        let (width, mut dark) = (code.width(), String::new());
        let modules = code.to_colors();
        for (place, _) in modules.iter().enumerate().filter(|(_, color)| **color == Color::Dark) {
            let (x, y) = (place % width + MARGIN, place / width + MARGIN);
            let _ = write!(dark, "M{x} {y}h1v1h-1z");
        }
        Ok(Self { side: width + 2 * MARGIN, dark })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_its_margin_and_its_finder_pattern() {
        let picture = Picture::of("otpauth://totp/Svc:ana").unwrap_or_else(|_| panic!("a short text"));
        assert_eq!(picture.side, 25 + 8);
        // The first seven modules of the first row are the border of a finder pattern.
        assert!((4..11).all(|x| picture.dark.contains(&format!("M{x} 4h1v1h-1z"))));
        assert!(!picture.dark.contains("M11 4h") && !picture.dark.contains("M3 "));
    }
}

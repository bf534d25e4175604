//! Where each object of a file is.

use std::collections::HashMap;

use crate::error::PdfRefused;

/// The most objects of a file.
pub(super) const MOST_OBJECTS: usize = 500_000;

/// Where an object is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Free,
    /// At a byte of the file.
    At {
        offset: usize,
        generation: u16,
    },
    /// Within an object stream.
    In {
        container: u32,
        index: usize,
    },
}

/// Places by number; what is put in first stays, since newer sections are read first.
#[derive(Default)]
pub(super) struct Table {
    places: HashMap<u32, Place>,
    pub(super) size: u32,
}

impl Table {
    pub(super) fn put(&mut self, number: usize, place: Place) -> Result<(), PdfRefused> {
        let number = u32::try_from(number).map_err(|_| PdfRefused::TooManyObjects)?;
        // A higher number would leave no room for the objects of a seal.
        if number > 8_388_607 {
            return Err(PdfRefused::TooManyObjects);
        }
        self.size = self.size.max(number + 1);
        self.places.entry(number).or_insert(place);
        if self.places.len() > MOST_OBJECTS { Err(PdfRefused::TooManyObjects) } else { Ok(()) }
    }

    pub(super) fn find(&self, number: u32) -> Place {
        self.places.get(&number).copied().unwrap_or(Place::Free)
    }
}

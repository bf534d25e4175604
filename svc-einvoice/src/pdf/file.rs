//! Puts the pages into a file.

use krilla::color::rgb;
use krilla::configure::{Archival, ConfigurationBuilder};
use krilla::embed::{AssociationKind, EmbeddedFile, MimeType};
use krilla::geom::{PathBuilder, Point, Rect, Transform};
use krilla::metadata::{DateTime, Metadata};
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::{Document, SerializeSettings};
use time::Date;

use super::canvas::{Canvas, HEIGHT, Mark, Tone, WIDTH};
use super::face::{Faces, Weight};
use super::{Options, Sheet, Standing};
use crate::error::WriteError;
use crate::ubl;

pub(super) fn made(sheet: &Sheet<'_>, canvas: Canvas, options: Options) -> Result<Vec<u8>, WriteError> {
    let failed = |what: &dyn std::fmt::Debug| WriteError::Layout(format!("{what:?}"));
    // An archive wants to know the day of a document, which a draft may not have.
    let configuration = match sheet.invoice.issue_date {
        Some(_) => ConfigurationBuilder::new().with_archival_validator(Archival::A3_B).finish(),
        None => ConfigurationBuilder::new().finish(),
    };
    let settings = SerializeSettings {
        configuration: configuration.map_err(|error| failed(&error))?,
        enable_tagging: false,
        ..SerializeSettings::default()
    };
    let mut document = Document::new_with(settings);
    document.set_metadata(metadata(sheet));
    if options.standing == Standing::Issued {
        embed(sheet, &mut document);
    }
    for marks in canvas.pages {
        let size = PageSettings::from_wh(WIDTH, HEIGHT).ok_or_else(|| failed(&"the size of the page"))?;
        let mut page = document.start_page_with(size);
        let mut surface = page.surface();
        for mark in marks {
            draw(&mut surface, &canvas.faces, mark);
        }
        surface.finish();
        page.finish();
    }
    document.finish().map_err(|error| failed(&error))
}

fn metadata(sheet: &Sheet<'_>) -> Metadata {
    let invoice = sheet.invoice;
    let title = format!("{} {}", sheet.texts.title(&invoice.kind), invoice.number);
    let metadata = Metadata::new()
        .title(title.trim().to_owned())
        .language(invoice.language.code().to_owned())
        .authors(vec![invoice.seller.name.clone()])
        .producer(concat!("svc-einvoice ", env!("CARGO_PKG_VERSION")).to_owned());
    match invoice.issue_date.and_then(midnight) {
        Some(date) => metadata.creation_date(date),
        None => metadata,
    }
}

/// The document for programs. What UBL has no place for is left out, and no error: people read the page.
fn embed(sheet: &Sheet<'_>, document: &mut Document) {
    let (Ok(file), Some(date)) = (ubl::write(sheet.invoice), sheet.invoice.issue_date) else { return };
    document.embed_file(EmbeddedFile {
        path: "invoice.ubl.xml".to_owned(),
        mime_type: MimeType::new("text/xml"),
        description: Some("UBL 2.1, EN 16931".to_owned()),
        association_kind: AssociationKind::Alternative,
        data: file.into(),
        modification_date: midnight(date),
        compress: Some(true),
        location: None,
    });
}

/// The day of issue: the file must not tell when it was made.
fn midnight(date: Date) -> Option<DateTime> {
    let year = u16::try_from(date.year()).ok()?;
    let day = DateTime::new(year).month(date.month().into()).day(date.day());
    Some(day.hour(0).minute(0).second(0).utc_offset_hour(0).utc_offset_minute(0))
}

fn draw(surface: &mut Surface<'_>, faces: &Faces, mark: Mark) {
    match mark {
        Mark::Text { x, y, size, weight, tone, text } => {
            let face = faces.of(weight);
            surface.set_fill(Some(fill(tone)));
            surface.draw_glyphs(
                Point::from_xy(x, y),
                &face.glyphs(&text),
                face.font.clone(),
                &text,
                size,
                false,
            );
        }
        Mark::Area { x, y, width, height, tone } => {
            surface.set_fill(Some(fill(tone)));
            rectangles(surface, [(x, y)], width, height);
        }
        Mark::Squares { corners, side } => {
            surface.set_fill(Some(fill(Tone::Black)));
            rectangles(surface, corners, side, side);
        }
        Mark::Across { text, size } => {
            let face = faces.of(Weight::Bold);
            let width = face.width(&text, size);
            let (x, y) = (WIDTH / 2.0, HEIGHT / 2.0);
            surface.push_transform(&Transform::from_rotate_at(-52.0, x, y));
            surface.set_fill(Some(fill(Tone::Ghost)));
            let start = Point::from_xy(x - width / 2.0, y + size / 3.0);
            surface.draw_glyphs(start, &face.glyphs(&text), face.font.clone(), &text, size, false);
            surface.pop();
        }
    }
}

fn rectangles(
    surface: &mut Surface<'_>,
    corners: impl IntoIterator<Item = (f32, f32)>,
    width: f32,
    height: f32,
) {
    let mut path = PathBuilder::new();
    for rectangle in corners.into_iter().filter_map(|(x, y)| Rect::from_xywh(x, y, width, height)) {
        path.push_rect(rectangle);
    }
    if let Some(path) = path.finish() {
        surface.draw_path(&path);
    }
}

fn fill(tone: Tone) -> Fill {
    let level = match tone {
        Tone::Black => 20,
        Tone::Grey => 95,
        Tone::Line => 205,
        Tone::Shade => 236,
        Tone::Ghost => 226,
    };
    Fill { paint: rgb::Color::new(level, level, level).into(), ..Fill::default() }
}

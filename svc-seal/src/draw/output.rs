//! Puts the pages into a file.

use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Rect, Size, Transform};
use krilla::image::Image;
use krilla::metadata::{DateTime, Metadata};
use krilla::page::PageSettings;
use krilla::paint::{Fill, LineCap, LineJoin, Stroke};
use krilla::surface::Surface;
use krilla::{Document, SerializeSettings};
use svc_core::clock::Timestamp;

use super::canvas::{Canvas, HEIGHT, Mark, Style, Tone, WIDTH};
use super::face::Faces;
use super::ink::Figure;
use crate::error::SealError;

/// What a file says about itself.
pub(crate) struct About<'a> {
    pub(crate) title: &'a str,
    pub(crate) author: &'a str,
    pub(crate) language: &'a str,
    pub(crate) at: Timestamp,
}

pub(crate) fn output(canvas: Canvas, about: &About<'_>) -> Result<Vec<u8>, SealError> {
    let settings = SerializeSettings { enable_tagging: false, ..SerializeSettings::default() };
    let mut document = Document::new_with(settings);
    let metadata = Metadata::new()
        .title(about.title.to_owned())
        .authors(vec![about.author.to_owned()])
        .language(about.language.to_owned())
        .producer(concat!("svc-seal ", env!("CARGO_PKG_VERSION")).to_owned());
    document.set_metadata(match day(about.at) {
        Some(day) => metadata.creation_date(day),
        None => metadata,
    });
    for marks in canvas.pages {
        let size = PageSettings::from_wh(WIDTH, HEIGHT);
        let size = size.ok_or_else(|| SealError::Layout("the size of the page".to_owned()))?;
        let mut page = document.start_page_with(size);
        let mut surface = page.surface();
        for mark in marks {
            draw(&mut surface, &canvas.faces, mark);
        }
        surface.finish();
        page.finish();
    }
    document.finish().map_err(|error| SealError::Layout(format!("{error:?}")))
}

fn day(at: Timestamp) -> Option<DateTime> {
    let date = at.date();
    let day = DateTime::new(u16::try_from(date.year()).ok()?).month(date.month().into()).day(date.day());
    Some(day.hour(0).minute(0).second(0).utc_offset_hour(0).utc_offset_minute(0))
}

fn draw(surface: &mut Surface<'_>, faces: &Faces, mark: Mark) {
    match mark {
        Mark::Text { x, y, style, text } => letters(surface, faces, (x, y), style, &text),
        Mark::Area { x, y, width, height, tone } => {
            surface.set_fill(Some(fill(tone)));
            let mut path = PathBuilder::new();
            if let Some(rectangle) = Rect::from_xywh(x, y, width, height) {
                path.push_rect(rectangle);
            }
            if let Some(path) = path.finish() {
                surface.draw_path(&path);
            }
        }
        Mark::Ink { x, y, width, height, ink } => match ink {
            Figure::Strokes { strokes, width: wide, height: high } => {
                let scale = (width / wide.max(1e-3)).min(height / high.max(1e-3)).min(width);
                pen(surface, &strokes, (x, y), scale);
            }
            Figure::Picture { pixels, width: wide, height: high } => {
                let image = Image::from_rgba8(pixels, wide, high);
                #[expect(clippy::cast_precision_loss, reason = "a side is at most 2,000 pixels")]
                let (wide, high) = (wide as f32, high as f32);
                let scale = (width / wide).min(height / high);
                if let Some(size) = Size::from_wh(wide * scale, high * scale) {
                    surface.push_transform(&Transform::from_translate(x, y));
                    surface.draw_image(image, size);
                    surface.pop();
                }
            }
        },
    }
}

fn letters(surface: &mut Surface<'_>, faces: &Faces, at: (f32, f32), style: Style, text: &str) {
    let face = faces.of(style.weight);
    surface.set_fill(Some(fill(style.tone)));
    let start = Point::from_xy(at.0, at.1);
    surface.draw_glyphs(start, &face.glyphs(text), face.font.clone(), text, style.size, false);
}

fn pen(surface: &mut Surface<'_>, strokes: &[Vec<(f32, f32)>], corner: (f32, f32), scale: f32) {
    let mut path = PathBuilder::new();
    for stroke in strokes {
        let mut points = stroke.iter().map(|(x, y)| (corner.0 + x * scale, corner.1 + y * scale));
        let Some((x, y)) = points.next() else { continue };
        path.move_to(x, y);
        // A dot is a very short line, which a round pen shows.
        path.line_to(x + 0.1, y);
        for (x, y) in points {
            path.line_to(x, y);
        }
    }
    surface.set_fill(None);
    surface.set_stroke(Some(Stroke {
        paint: rgb::Color::new(22, 38, 96).into(),
        width: 1.3,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        ..Stroke::default()
    }));
    if let Some(path) = path.finish() {
        surface.draw_path(&path);
    }
    surface.set_stroke(None);
}

fn fill(tone: Tone) -> Fill {
    let level = match tone {
        Tone::Black => 20,
        Tone::Grey => 95,
        Tone::Line => 205,
    };
    Fill { paint: rgb::Color::new(level, level, level).into(), ..Fill::default() }
}

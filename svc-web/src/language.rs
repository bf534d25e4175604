//! The language of the pages: that of a choice, else that of the browser.

use http::HeaderMap;
use http::header::ACCEPT_LANGUAGE;

use crate::preferences::chosen;
use crate::texts::Texts;

/// A language that the pages are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// English.
    English,
    /// Spanish.
    Spanish,
}

impl Language {
    /// Each, as a person finds it in a list.
    pub(crate) const ALL: [Self; 2] = [Self::English, Self::Spanish];

    /// What a request asks for.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let chosen = chosen(headers, "lang").and_then(Self::parse);
        chosen.or_else(|| preferred(headers)).unwrap_or(Self::English)
    }

    /// By its tag (RFC 5646); regions do not matter.
    pub(crate) fn parse(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next().unwrap_or_default();
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(primary))
    }

    /// Its tag.
    pub(crate) const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es",
        }
    }

    /// The same for the descriptions of events.
    pub(crate) const fn of_events(self) -> svc_core::event::Language {
        match self {
            Self::English => svc_core::event::Language::English,
            Self::Spanish => svc_core::event::Language::Spanish,
        }
    }

    /// Its name in itself.
    pub(crate) const fn own_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Spanish => "Español",
        }
    }

    /// What the pages say in it.
    pub(crate) const fn texts(self) -> &'static Texts {
        match self {
            Self::English => &Texts::ENGLISH,
            Self::Spanish => &Texts::SPANISH,
        }
    }
}

/// The language that the browser likes best (RFC 9110, section 12.5.4).
fn preferred(headers: &HeaderMap) -> Option<Language> {
    let lines = headers.get_all(ACCEPT_LANGUAGE).iter().filter_map(|line| line.to_str().ok());
    let ranges = lines.flat_map(|line| line.split(',')).filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let language = Language::parse(parts.next().unwrap_or_default())?;
        let weight =
            parts.find_map(|part| part.strip_prefix("q=")).map_or(Some(1.0), |text| text.parse().ok());
        let weight: f32 = weight.unwrap_or(0.0);
        (weight > 0.0).then_some((language, weight))
    });
    // The first of those with the greatest weight.
    ranges.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(language, _)| language)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn asked(name: http::HeaderName, value: &'static str) -> Language {
        Language::of(&HeaderMap::from_iter([(name, HeaderValue::from_static(value))]))
    }

    #[test]
    fn the_browser_says_which_language_its_person_likes_best() {
        for (line, language) in [
            ("es", Language::Spanish),
            ("es-MX,en;q=0.8", Language::Spanish),
            ("de, en-GB;q=0.5, es;q=0.7", Language::Spanish),
            ("en, es", Language::English),
            ("es;q=0, en;q=0.1", Language::English),
            ("de", Language::English),
            ("*", Language::English),
            ("es;q=x", Language::English),
        ] {
            assert_eq!(asked(ACCEPT_LANGUAGE, line), language, "{line}");
        }
    }

    #[test]
    fn a_choice_goes_before_the_browser() {
        assert_eq!(asked(http::header::COOKIE, "a=b; lang=es"), Language::Spanish);
        assert_eq!(asked(http::header::COOKIE, "lang=klingon"), Language::English);
    }
}

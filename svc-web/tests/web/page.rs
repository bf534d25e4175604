//! A page as a browser reads it: its forms, and whether what is written by strangers stays text.

use http::HeaderMap;

#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    /// Where the browser came to.
    pub(crate) path: String,
    pub(crate) html: String,
}

/// A form with what it would send.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) action: String,
    pub(crate) fields: Vec<(String, String)>,
}

impl Page {
    /// The one form that goes to this path, or to one that ends like this.
    #[track_caller]
    pub(crate) fn form(&self, action: &str) -> Form {
        let found: Vec<Form> =
            self.forms().into_iter().filter(|form| form.action.ends_with(action)).collect();
        assert_eq!(found.len(), 1, "{action} on {}: {}", self.path, self.html);
        found.into_iter().next().unwrap()
    }

    /// The one form that goes to this path with a query.
    #[track_caller]
    pub(crate) fn form_to(&self, path: &str) -> Form {
        let query = format!("{path}?");
        let mut found = self.forms().into_iter().filter(|form| form.action.starts_with(&query));
        found.next().unwrap_or_else(|| panic!("{path} on {}: {}", self.path, self.html))
    }

    /// Every form that changes something.
    pub(crate) fn forms(&self) -> Vec<Form> {
        let mut forms = Vec::new();
        for part in self.html.split("<form ").skip(1) {
            let (head, rest) = part.split_once('>').unwrap();
            let inner = rest.split("</form>").next().unwrap();
            if attribute(head, "method").as_deref() == Some("post") {
                forms.push(Form { action: attribute(head, "action").unwrap(), fields: fields(inner) });
            }
        }
        forms
    }

    /// Links to pages of this service.
    pub(crate) fn links(&self) -> Vec<String> {
        let tags =
            self.html.split("<a ").skip(1).filter_map(|part| attribute(part.split('>').next()?, "href"));
        tags.filter(|href| href.starts_with('/')).collect()
    }

    /// Where the row of a table leads that says this.
    #[track_caller]
    pub(crate) fn link_beside(&self, text: &str) -> String {
        let row = self.html.split("<tr>").find(|row| row.contains(text));
        let row = row.unwrap_or_else(|| panic!("no row of {} says {text:?}", self.path));
        attribute(row.split("<a ").nth(1).unwrap(), "href").unwrap()
    }

    /// The text of the page without its tags.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for part in self.html.split('<').skip(1) {
            text.push_str(part.split_once('>').map_or("", |(_, text)| text));
            text.push(' ');
        }
        unescaped(&text).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The same without what stands between these.
    pub(crate) fn text_but(&self, from: &str, to: &str) -> String {
        let mut html = self.html.clone();
        while let Some(begin) = html.find(from) {
            let end = html[begin..].find(to).map_or(html.len(), |end| begin + end);
            html.replace_range(begin..end, "");
        }
        Self { html, headers: HeaderMap::new(), path: self.path.clone(), status: self.status }.text()
    }

    #[track_caller]
    pub(crate) fn says(&self, text: &str) -> &Self {
        assert!(self.text().contains(text), "{} does not say {text:?}: {}", self.path, self.text());
        self
    }

    #[track_caller]
    pub(crate) fn is(&self, status: u16) -> &Self {
        assert_eq!(self.status, status, "{}: {}", self.path, self.text());
        self
    }

    /// The value of the field with this id.
    #[track_caller]
    pub(crate) fn value(&self, id: &str) -> String {
        let at =
            self.html.find(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no {id} on {}", self.path));
        attribute(self.html[at..].split('>').next().unwrap(), "value").unwrap()
    }
}

impl Form {
    /// The form with this in the place of what the field has.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.fields.retain(|(field, _)| field != name);
        self.and(name, value)
    }

    /// The form with one more value of a field.
    pub(crate) fn and(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn body(&self) -> String {
        let pair = |(name, value): &(String, String)| format!("{}={}", encoded(name), encoded(value));
        self.fields.iter().map(pair).collect::<Vec<_>>().join("&")
    }
}

/// What the fields of a form have when it is sent; a button sends nothing unless it is pressed.
fn fields(html: &str) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    for part in html.split('<').skip(1) {
        let (tag, after) = part.split_once('>').unwrap_or((part, ""));
        let Some(name) = attribute(tag, "name") else { continue };
        if tag.starts_with("input") {
            let ticked =
                tag.contains(" checked") || !(tag.contains("\"checkbox\"") || tag.contains("\"radio\""));
            if ticked {
                fields.push((name, attribute(tag, "value").unwrap_or_default()));
            }
        } else if tag.starts_with("textarea") {
            fields.push((name, unescaped(after)));
        } else if tag.starts_with("select") {
            let rest = html.split(part).nth(1).unwrap_or_default();
            let options: Vec<&str> =
                rest.split("</select>").next().unwrap_or_default().split("<option").skip(1).collect();
            let chosen = options.iter().find(|option| option.contains(" selected")).or(options.first());
            let value = chosen.map(|option| {
                let (head, text) = option.split_once('>').unwrap();
                attribute(head, "value").unwrap_or_else(|| unescaped(text.split('<').next().unwrap()))
            });
            fields.push((name, value.unwrap_or_default()));
        }
    }
    fields
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let rest = tag.split(&format!("{name}=\"")).nth(1)?;
    rest.split_once('"').map(|(value, _)| unescaped(value))
}

fn unescaped(text: &str) -> String {
    let pairs = [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#38;", "&")];
    pairs.iter().fold(text.to_owned(), |text, (code, sign)| text.replace(code, sign))
}

fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'*' => char::from(byte).to_string(),
        b' ' => "+".to_owned(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

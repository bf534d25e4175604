//! What a member's value must look like beyond its type.

use serde_json::{Map, Value, json};

use super::{Described, Parts, nullable};

/// What a member's value must look like beyond its type, for its schema. The rules of the domain check it.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    format: Option<&'static str>,
    moment: bool,
    pattern: Option<&'static str>,
    length: Option<(usize, usize)>,
    range: Option<(i64, i64)>,
    count: Option<(usize, Option<usize>)>,
    names: Option<&'static [&'static str]>,
    each: Option<&'static Self>,
    keys: Option<usize>,
    like: Option<fn(&mut Parts) -> Value>,
    example: Option<Example>,
}

#[derive(Clone, Copy, Debug)]
enum Example {
    Text(&'static str),
    Number(i64),
    Json(&'static str),
}

impl Form {
    /// Whatever the type allows.
    pub const ANY: Self = Self {
        format: None,
        moment: false,
        pattern: None,
        length: None,
        range: None,
        count: None,
        names: None,
        each: None,
        keys: None,
        like: None,
        example: None,
    };
    /// A calendar date.
    pub const DATE: Self = Self { format: Some("date"), ..Self::ANY };
    /// An instant, RFC 3339.
    pub const INSTANT: Self = Self { format: Some("date-time"), ..Self::ANY };
    /// A calendar date or an instant.
    pub const MOMENT: Self = Self { moment: true, ..Self::ANY };
    /// An e-mail address.
    pub const EMAIL: Self = Self { format: Some("email"), length: Some((3, 254)), ..Self::ANY };
    /// An id of any kind.
    pub const ID: Self = Self {
        pattern: Some("^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$"),
        example: Some(Example::Text("con_01jjxvfvr4f16pz7s9h7p4hsqk")),
        ..Self::ANY
    };
    /// A web address.
    pub const URI: Self = Self { format: Some("uri"), ..Self::ANY };

    /// A text with so many characters.
    #[must_use]
    pub const fn text(min: usize, max: usize) -> Self {
        Self { length: Some((min, max)), ..Self::ANY }
    }

    /// A text that matches.
    #[must_use]
    pub const fn pattern(pattern: &'static str) -> Self {
        Self { pattern: Some(pattern), ..Self::ANY }
    }

    /// A whole number within these bounds.
    #[must_use]
    pub const fn range(min: i64, max: i64) -> Self {
        Self { range: Some((min, max)), ..Self::ANY }
    }

    /// A text that is one of these names.
    #[must_use]
    pub const fn one_of(names: &'static [&'static str]) -> Self {
        Self { names: Some(names), ..Self::ANY }
    }

    /// A list, or an object with any keys, of so many values that each look like this.
    #[must_use]
    pub const fn list(min: usize, max: usize, each: &'static Self) -> Self {
        Self { count: Some((min, Some(max))), each: Some(each), ..Self::ANY }
    }

    /// A list of one value or more that each look like this.
    #[must_use]
    pub const fn some(each: &'static Self) -> Self {
        Self { count: Some((1, None)), each: Some(each), ..Self::ANY }
    }

    /// Values of any number that each look like this.
    #[must_use]
    pub const fn each(each: &'static Self) -> Self {
        Self { each: Some(each), ..Self::ANY }
    }

    /// The same, of a value that looks as one of another type does: the domain reads it from the member's own.
    #[must_use]
    pub const fn like<T: Described>(self) -> Self {
        Self { like: Some(T::schema), ..self }
    }

    /// The same, of so many characters.
    #[must_use]
    pub const fn length(self, min: usize, max: usize) -> Self {
        Self { length: Some((min, max)), ..self }
    }

    /// The same with keys of 1 to `max` characters.
    #[must_use]
    pub const fn keys(self, max: usize) -> Self {
        Self { keys: Some(max), ..self }
    }

    /// The same with a text as its example.
    #[must_use]
    pub const fn example(self, text: &'static str) -> Self {
        Self { example: Some(Example::Text(text)), ..self }
    }

    /// The same with a number as its example.
    #[must_use]
    pub const fn number(self, number: i64) -> Self {
        Self { example: Some(Example::Number(number)), ..self }
    }

    /// The same with an example that is written in JSON.
    #[must_use]
    pub const fn json(self, text: &'static str) -> Self {
        Self { example: Some(Example::Json(text)), ..self }
    }

    /// The schema with all of this in it.
    pub(super) fn apply(&self, schema: Value, parts: &mut Parts) -> Value {
        let schema = match (self.like, allows_null(&schema)) {
            (Some(like), true) => nullable(like(parts)),
            (Some(like), false) => like(parts),
            (None, _) => schema,
        };
        let Value::Object(mut members) = schema else { return schema };
        self.narrow(&mut members, parts);
        Value::Object(members)
    }

    fn narrow(&self, members: &mut Map<String, Value>, parts: &mut Parts) {
        let list = members.contains_key("items");
        let mut set = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                members.insert(name.to_owned(), value);
            }
        };
        set("format", self.format.map(Value::from));
        set("anyOf", self.moment.then(|| json!([{ "format": "date" }, { "format": "date-time" }])));
        set("pattern", self.pattern.map(Value::from));
        set("minLength", self.length.map(|(min, _)| min).filter(|min| *min > 0).map(Value::from));
        set("maxLength", self.length.map(|(_, max)| Value::from(max)));
        set("minimum", self.range.map(|(min, _)| Value::from(min)));
        set("maximum", self.range.map(|(_, max)| Value::from(max)));
        let (least, most) = if list { ("minItems", "maxItems") } else { ("minProperties", "maxProperties") };
        set(least, self.count.map(|(min, _)| min).filter(|min| *min > 0).map(Value::from));
        set(most, self.count.and_then(|(_, max)| max).map(Value::from));
        set("propertyNames", self.keys.map(|max| json!({ "minLength": 1, "maxLength": max })));
        set("examples", self.example.map(|example| json!([example.value()])));
        if let Some(names) = self.names {
            let schema = json!({ "type": "string", "enum": names });
            let null = members.get("type").is_some_and(Value::is_array);
            let named = if null { nullable(schema) } else { schema };
            members.extend(named.as_object().cloned().unwrap_or_default());
        }
        let inner = if list { "items" } else { "additionalProperties" };
        if let Some((each, schema)) = self.each.zip(members.get_mut(inner)) {
            *schema = each.apply(schema.take(), parts);
        }
    }
}

fn allows_null(schema: &Value) -> bool {
    let null = |kind: &Value| kind == "null" || kind["type"] == "null";
    [&schema["type"], &schema["oneOf"]]
        .iter()
        .any(|kinds| kinds.as_array().is_some_and(|all| all.iter().any(null)))
}

impl Example {
    fn value(self) -> Value {
        match self {
            Self::Text(text) => Value::from(text),
            Self::Number(number) => Value::from(number),
            Self::Json(text) => serde_json::from_str(text).expect("an example is JSON"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn schema<T: Described>(form: Form) -> Value {
        let mut parts = Parts::default();
        let schema = T::schema(&mut parts);
        form.apply(schema, &mut parts)
    }

    #[test]
    fn a_form_narrows_what_the_type_says() {
        let text = schema::<Option<String>>(Form::text(1, 20).example("28013"));
        let wanted =
            json!({"type": ["string", "null"], "minLength": 1, "maxLength": 20, "examples": ["28013"]});
        assert_eq!(text, wanted);
        let names = schema::<Option<&str>>(Form::one_of(&["a", "b"]));
        assert_eq!(names, json!({"type": ["string", "null"], "enum": ["a", "b", null]}));
        let tags = schema::<Vec<String>>(Form::list(1, 50, const { &Form::text(1, 9) }));
        let each = json!({"type": "string", "minLength": 1, "maxLength": 9});
        assert_eq!(tags, json!({"type": "array", "items": each, "minItems": 1, "maxItems": 50}));
        let pairs =
            schema::<BTreeMap<String, String>>(Form::list(0, 50, const { &Form::text(1, 9) }).keys(40));
        let keys = json!({"minLength": 1, "maxLength": 40});
        assert_eq!(pairs["propertyNames"], keys);
        assert_eq!((&pairs["additionalProperties"], &pairs["maxProperties"]), (&each, &json!(50)));
    }

    #[test]
    fn a_member_may_look_like_another_type() {
        let days = schema::<Option<String>>(Form::ANY.like::<u8>());
        assert_eq!(days, json!({"type": ["integer", "null"], "format": "int32", "minimum": 0}));
    }
}

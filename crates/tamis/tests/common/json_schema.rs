//! A checker for JSON Schema, as far as our schemas use it.

use serde_json::Value;

/// Where and how a value does not match a schema. Knows the words that our schema uses and refuses others.
pub fn mismatch(value: &Value, schema: &Value, root: &Value) -> Option<String> {
    for (word, wanted) in schema.as_object().unwrap() {
        let is_right = match word.as_str() {
            "$schema" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let name = wanted.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                if let Some(wrong) = mismatch(value, &root["$defs"][name], root) {
                    return Some(wrong);
                }
                true
            }
            "type" => match wanted {
                Value::Array(kinds) => kinds.iter().any(|kind| is_of(value, kind)),
                kind => is_of(value, kind),
            },
            "const" => value == wanted,
            "enum" => wanted.as_array().unwrap().contains(value),
            "minimum" => value.as_f64().is_none_or(|number| number >= wanted.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= wanted.as_f64().unwrap()),
            "minItems" => value.as_array().unwrap().len() as u64 >= wanted.as_u64().unwrap(),
            "maxItems" => value.as_array().unwrap().len() as u64 <= wanted.as_u64().unwrap(),
            "required" => {
                wanted.as_array().unwrap().iter().all(|name| value.get(name.as_str().unwrap()).is_some())
            }
            "properties" => {
                for (name, schema) in wanted.as_object().unwrap() {
                    if let Some(wrong) = value.get(name).and_then(|value| mismatch(value, schema, root)) {
                        return Some(format!("{name}: {wrong}"));
                    }
                }
                true
            }
            "items" => {
                let mut items = value.as_array().into_iter().flatten();
                if let Some(wrong) = items.find_map(|item| mismatch(item, wanted, root)) {
                    return Some(wrong);
                }
                true
            }
            "oneOf" => {
                let kinds = wanted.as_array().unwrap().iter();
                kinds.filter(|schema| mismatch(value, schema, root).is_none()).count() == 1
            }
            word => return Some(format!("the checker does not know {word}")),
        };
        if !is_right {
            return Some(format!("{value} is not {word} {wanted}"));
        }
    }
    None
}

fn is_of(value: &Value, kind: &Value) -> bool {
    match kind.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    }
}

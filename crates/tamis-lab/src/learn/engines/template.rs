//! A small language for templates: `{{name}}` is a text, `{{#name}}…{{/name}}` is repeated for each entry of a list.
//!
//! A name is looked up in the entry first, then around it.

use std::collections::BTreeMap;

use crate::report::escape::escaped;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(String),
    /// Written as it is.
    Markup(String),
    List(Vec<Scope>),
}

/// Names and what they stand for.
pub(super) type Scope = BTreeMap<&'static str, Value>;

/// What is wrong with a template.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum TemplateError {
    #[error("{{{{{0} has no end")]
    Open(String),
    #[error("{{{{/{0}}}}} closes nothing")]
    NotOpen(String),
    #[error("{{{{{0}}}}} stands for nothing of this kind")]
    Unknown(String),
}

/// The template with all names filled in.
pub(super) fn render(template: &str, scope: &Scope) -> Result<String, TemplateError> {
    let mut out = String::with_capacity(2 * template.len());
    render_into(template, &[scope], &mut out)?;
    Ok(out)
}

/// Calls itself for what is repeated: as deep as our own templates are nested, which is two.
fn render_into(template: &str, scopes: &[&Scope], out: &mut String) -> Result<(), TemplateError> {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((name, after)) = after.split_once("}}") else {
            return Err(TemplateError::Open(after.chars().take(20).collect()));
        };
        rest = after;
        if let Some(name) = name.strip_prefix('/') {
            return Err(TemplateError::NotOpen(name.to_owned()));
        }
        let (is_list, name) = name.strip_prefix('#').map_or((false, name), |name| (true, name));
        let value = scopes.iter().rev().find_map(|scope| scope.get(name));
        match value {
            Some(Value::Text(text)) if !is_list => out.push_str(&escaped(text)),
            Some(Value::Markup(markup)) if !is_list => out.push_str(markup),
            Some(Value::List(entries)) if is_list => {
                let end = format!("{{{{/{name}}}}}");
                let Some((body, after)) = rest.split_once(end.as_str()) else {
                    return Err(TemplateError::Open(name.to_owned()));
                };
                for entry in entries {
                    let inner: Vec<&Scope> = scopes.iter().copied().chain([entry]).collect();
                    render_into(body, &inner, out)?;
                }
                rest = after;
            }
            _ => return Err(TemplateError::Unknown(name.to_owned())),
        }
    }
    out.push_str(rest);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope() -> Scope {
        let text = |text: &str| Value::Text(text.to_owned());
        let post = |name: &str| Scope::from([("author", text(name))]);
        Scope::from([
            ("title", text("a < b")),
            ("body", Value::Markup("<p>{{title}}".into())),
            ("posts", Value::List(vec![post("Ann"), post("Bo")])),
            ("none", Value::List(vec![])),
        ])
    }

    #[test]
    fn names_are_filled_in_and_lists_repeated() {
        let made = render(
            "<h1>{{title}}</h1>{{#posts}}<b>{{author}}, {{title}}</b>{{/posts}}{{#none}}x{{/none}}.",
            &scope(),
        );
        assert_eq!(made.unwrap(), "<h1>a &lt; b</h1><b>Ann, a &lt; b</b><b>Bo, a &lt; b</b>.");
        assert_eq!(render("{{body}}", &scope()).unwrap(), "<p>{{title}}", "what is filled in is no template");
    }

    #[test]
    fn mistakes_are_told() {
        let error = |template| render(template, &scope()).unwrap_err();
        assert_eq!(error("{{titel}}"), TemplateError::Unknown("titel".into()));
        assert_eq!(error("{{#title}}x{{/title}}"), TemplateError::Unknown("title".into()));
        assert_eq!(error("{{posts}}"), TemplateError::Unknown("posts".into()));
        assert_eq!(error("{{#posts}}x"), TemplateError::Open("posts".into()));
        assert_eq!(error("{{/posts}}"), TemplateError::NotOpen("posts".into()));
        assert_eq!(error("{{title").to_string(), "{{title has no end");
    }
}

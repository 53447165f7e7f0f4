//! A small checker of XML against a DTD: elements, attributes, content models. It reads what the DTDs of this project
//! use of the language, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

#[derive(Debug)]
enum Content {
    Any,
    /// Characters between elements of these names.
    Mixed(BTreeSet<String>),
    Elements(Model),
}

#[derive(Debug)]
enum Model {
    Name(String),
    Sequence(Vec<Model>),
    Choice(Vec<Model>),
    Repeat { model: Box<Model>, at_least_one: bool, more: bool },
}

impl Model {
    /// Where a match may end that begins at one of these places.
    fn ends(&self, names: &[String], from: &BTreeSet<usize>) -> BTreeSet<usize> {
        match self {
            Model::Name(name) => {
                from.iter().filter(|at| names.get(**at) == Some(name)).map(|at| at + 1).collect()
            }
            Model::Sequence(parts) => parts.iter().fold(from.clone(), |from, part| part.ends(names, &from)),
            Model::Choice(parts) => parts.iter().flat_map(|part| part.ends(names, from)).collect(),
            Model::Repeat { model, at_least_one, more } => {
                let mut all = if *at_least_one { BTreeSet::new() } else { from.clone() };
                let mut last = from.clone();
                loop {
                    last = model.ends(names, &last).difference(&all).copied().collect();
                    if last.is_empty() {
                        return all;
                    }
                    all.extend(&last);
                    if !more {
                        return all;
                    }
                }
            }
        }
    }
}

#[derive(Debug, Default)]
struct Attribute {
    is_required: bool,
    is_id: bool,
    values: Option<Vec<String>>,
}

#[derive(Debug, Default)]
pub struct Dtd {
    elements: BTreeMap<String, Content>,
    attributes: BTreeMap<String, BTreeMap<String, Attribute>>,
}

impl Dtd {
    /// Reads a DTD. It may be wrong in ways that are not noticed, but not so that a test could pass for it.
    pub fn parse(text: &str) -> Dtd {
        let mut text = without_comments(text);
        for (name, value) in entities(&text) {
            text = text.replace(&format!("%{name};"), &value);
        }
        let mut dtd = Dtd::default();
        for declaration in text.split("<!").skip(1) {
            let body = declaration.split('>').next().unwrap();
            if let Some(element) = body.strip_prefix("ELEMENT") {
                let (name, model) = element.trim().split_once(char::is_whitespace).unwrap();
                dtd.elements.insert(name.to_owned(), content(model.trim()));
            } else if let Some(list) = body.strip_prefix("ATTLIST") {
                let tokens = tokens(list);
                let (element, rest) = tokens.split_first().unwrap();
                read_attributes(rest, dtd.attributes.entry(element.clone()).or_default());
            }
        }
        dtd
    }

    /// What is wrong with a text; empty if it is well-formed and valid.
    pub fn errors(&self, xml: &str) -> Vec<String> {
        let mut errors = Vec::new();
        if let Some(bad) = xml.chars().find(|it| *it < ' ' && !matches!(it, '\t' | '\n' | '\r')) {
            errors.push(format!("a character that XML cannot have: {bad:?}"));
        }
        let mut reader = Reader::from_str(xml);
        // Each open element with the names of its children and whether it has words.
        let mut open: Vec<(String, Vec<String>, bool)> = Vec::new();
        let mut ids = BTreeSet::new();
        loop {
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => {
                    errors.push(format!("not well-formed: {error}"));
                    return errors;
                }
            };
            match event {
                Event::Eof => break,
                Event::Start(ref start) | Event::Empty(ref start) => {
                    let name = start.name().as_ref().to_owned();
                    self.check_attributes(&name, start, &mut ids, &mut errors);
                    if let Some((_, children, _)) = open.last_mut() {
                        children.push(name.clone());
                    }
                    if matches!(event, Event::Start(_)) {
                        open.push((name, Vec::new(), false));
                    } else {
                        self.check_content(&name, &[], false, &mut errors);
                    }
                }
                Event::End(_) => {
                    let (name, children, has_words) = open.pop().unwrap();
                    self.check_content(&name, &children, has_words, &mut errors);
                }
                Event::Text(_) | Event::GeneralRef(_) => {
                    let has_words = !matches!(event, Event::Text(ref text) if text.trim().is_empty());
                    if let Some((_, _, words)) = open.last_mut() {
                        *words |= has_words;
                    }
                }
                _ => {}
            }
        }
        if !open.is_empty() {
            errors.push(format!("{} is not closed", open[0].0));
        }
        errors
    }

    fn check_content(&self, name: &str, children: &[String], has_words: bool, errors: &mut Vec<String>) {
        match self.elements.get(name) {
            None => errors.push(format!("{name} is not declared")),
            Some(Content::Any) => {}
            Some(Content::Mixed(names)) => {
                for child in children.iter().filter(|child| !names.contains(*child)) {
                    errors.push(format!("{child} in {name}"));
                }
            }
            Some(Content::Elements(model)) => {
                if has_words {
                    errors.push(format!("words in {name}"));
                }
                if !model.ends(children, &BTreeSet::from([0])).contains(&children.len()) {
                    errors.push(format!("{name} holds {children:?}"));
                }
            }
        }
    }

    fn check_attributes(
        &self,
        name: &str,
        start: &BytesStart<'_>,
        ids: &mut BTreeSet<String>,
        errors: &mut Vec<String>,
    ) {
        let none = BTreeMap::new();
        let declared = self.attributes.get(name).unwrap_or(&none);
        let mut found = BTreeSet::new();
        for attribute in start.attributes() {
            let Ok(attribute) = attribute else {
                errors.push(format!("{name} has a broken attribute"));
                continue;
            };
            let key = attribute.key.as_ref().to_owned();
            let value = attribute.value.to_string();
            match declared.get(&key) {
                None => errors.push(format!("{name} has {key}")),
                Some(Attribute { values: Some(values), .. }) if !values.contains(&value) => {
                    errors.push(format!("{name} has {key}={value}"));
                }
                Some(Attribute { is_id: true, .. }) if !ids.insert(value.clone()) || value.is_empty() => {
                    errors.push(format!("the identifier {value:?} is empty or not the only one"));
                }
                Some(_) => {}
            }
            found.insert(key);
        }
        for (key, _) in declared.iter().filter(|(key, it)| it.is_required && !found.contains(*key)) {
            errors.push(format!("{name} has no {key}"));
        }
    }
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("<!--");
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |text, part| text + part.split_once("-->").unwrap().1)
}

/// The parameter entities, last first, so that those used by others are put in after them.
fn entities(text: &str) -> Vec<(String, String)> {
    let mut entities: Vec<_> = text
        .split("<!ENTITY %")
        .skip(1)
        .map(|part| {
            let (name, rest) = part.trim().split_once(char::is_whitespace).unwrap();
            (name.to_owned(), rest.split('"').nth(1).unwrap().to_owned())
        })
        .collect();
    entities.reverse();
    entities
}

/// Words, brackets and signs; quoted texts lose their quotes.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    for character in text.chars() {
        let is_sign = "()|,?*+\"".contains(character);
        if is_sign || character.is_whitespace() {
            if !word.is_empty() {
                tokens.push(std::mem::take(&mut word));
            }
            if is_sign && character != '"' {
                tokens.push(character.to_string());
            }
        } else {
            word.push(character);
        }
    }
    tokens.extend((!word.is_empty()).then_some(word));
    tokens
}

fn content(model: &str) -> Content {
    if model == "ANY" {
        return Content::Any;
    }
    if model == "EMPTY" {
        return Content::Elements(Model::Sequence(Vec::new()));
    }
    let tokens = tokens(model);
    if tokens.iter().any(|token| token == "#PCDATA") {
        let is_name = |token: &&String| token.starts_with(char::is_alphabetic);
        return Content::Mixed(tokens.iter().filter(is_name).cloned().collect());
    }
    let mut at = 0;
    let model = read_model(&tokens, &mut at);
    assert_eq!(at, tokens.len(), "all of the model is read: {tokens:?}");
    Content::Elements(model)
}

fn read_model(tokens: &[String], at: &mut usize) -> Model {
    let model = if tokens[*at] == "(" {
        let mut parts = Vec::new();
        let mut sign = String::from(",");
        loop {
            *at += 1;
            parts.push(read_model(tokens, at));
            if tokens[*at] == ")" {
                break;
            }
            sign.clone_from(&tokens[*at]);
        }
        if sign == "|" { Model::Choice(parts) } else { Model::Sequence(parts) }
    } else {
        Model::Name(tokens[*at].clone())
    };
    *at += 1;
    let (at_least_one, more) = match tokens.get(*at).map(String::as_str) {
        Some("?") => (false, false),
        Some("*") => (false, true),
        Some("+") => (true, true),
        _ => return model,
    };
    *at += 1;
    Model::Repeat { model: Box::new(model), at_least_one, more }
}

fn read_attributes(tokens: &[String], to: &mut BTreeMap<String, Attribute>) {
    let mut at = 0;
    while at < tokens.len() {
        let name = tokens[at].clone();
        at += 1;
        let mut attribute = Attribute::default();
        if tokens[at] == "(" {
            let end = at + tokens[at..].iter().position(|token| token == ")").unwrap();
            attribute.values =
                Some(tokens[at + 1..end].iter().filter(|token| *token != "|").cloned().collect());
            at = end;
        }
        attribute.is_id = tokens[at] == "ID";
        at += 1;
        match tokens[at].as_str() {
            "#REQUIRED" => attribute.is_required = true,
            "#FIXED" => {
                at += 1;
                attribute.values = Some(vec![tokens[at].clone()]);
            }
            _ => {}
        }
        at += 1;
        to.insert(name, attribute);
    }
}

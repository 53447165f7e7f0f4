//! What a client may say about a page and its extraction: in the query or in JSON, named as on the command line.

use std::borrow::Cow;
use std::time::Duration;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use tamis::page::HiddenText;
use tamis::render::{Headline, RenderOptions};
use tamis::{Bias, Document};
use tamis_batch::{Bounds, Chunking, Fields, Html, PageIn, Record, RecordField, WorkOptions};
use tamis_dates::Moment;
use tamis_methods::Selection;
use utoipa::{IntoParams, ToSchema};

use crate::config::Limits;
use crate::format::Format;
use crate::problem::{Answer, Problem};

/// A page, what is known about it, and how to extract it.
#[derive(Clone, Debug, Default, Deserialize, IntoParams, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PageRequest {
    /// The page. Required in JSON.
    #[param(ignore)]
    #[schema(required = true, value_type = String)]
    pub html: Option<String>,
    /// What identifies the page: a text or a number. It comes back in the record.
    #[param(ignore)]
    #[serde(deserialize_with = "id")]
    pub id: Option<String>,
    /// The URL of the page.
    pub url: Option<String>,
    /// The `Content-Type` header that the page came with.
    pub content_type: Option<String>,
    /// Fetch time, such as 2010-12-15T08:30+01:00: resolves relative dates and rejects later ones.
    pub fetched: Option<String>,
    /// Force an encoding, by a WHATWG label.
    pub encoding: Option<String>,
    /// Extraction method.
    pub method: Option<String>,
    /// Favour precision: drop uncertain blocks.
    pub precision: Option<bool>,
    /// Favour recall: keep uncertain blocks.
    pub recall: Option<bool>,
    /// From -1 (precision) to 1 (recall).
    #[schema(minimum = -1.0, maximum = 1.0)]
    #[param(minimum = -1.0, maximum = 1.0)]
    pub bias: Option<f64>,
    /// Rules for sites in TOML, in place of the server's; they apply to the sites of URLs.
    #[param(ignore)]
    pub rules: Option<String>,
    /// Methods to ask, comma-separated, or all: for explanations only.
    #[param(value_type = Option<String>)]
    #[schema(value_type = Option<String>)]
    pub methods: Names,
    /// Also include, comma-separated: links and images (Markdown, HTML), comments, metadata (Markdown).
    #[param(value_type = Option<String>)]
    #[schema(value_type = Option<String>)]
    pub with: Names,
    /// Show the title above the text (Markdown, HTML): auto, always or never.
    #[param(inline)]
    pub headline: Option<HeadlineOption>,
    /// Text hidden by markup: drop it, keep it, or drop it and list it in JSON (flag).
    #[param(inline)]
    pub hidden: Option<HiddenOption>,
    /// Fields of the JSON, comma-separated.
    #[param(value_type = Option<String>)]
    #[schema(value_type = Option<String>)]
    pub fields: Names,
    /// Split the text into chunks for retrieval, of at most this size: 2000, 200tokens or 200tokens,markdown (JSON).
    pub chunks: Option<String>,
    /// Time limit for extracting the page in seconds, at most that of the server.
    #[schema(exclusive_minimum = 0.0)]
    #[param(exclusive_minimum = 0.0)]
    pub timeout: Option<f64>,
}

/// `--headline`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum HeadlineOption {
    /// Unless the text starts with it.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// `--hidden`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum HiddenOption {
    /// Drop it.
    #[default]
    Drop,
    /// Keep it.
    Keep,
    /// Drop it, and list it with the reason.
    Flag,
}

/// Names, as a list or separated by commas.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Names(pub Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Names, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Names;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("names, separated by commas")
            }

            fn visit_str<E>(self, names: &str) -> Result<Names, E> {
                let names = names.split(',').map(|name| name.trim().to_owned());
                Ok(Names(names.filter(|name| !name.is_empty()).collect()))
            }

            fn visit_unit<E>(self) -> Result<Names, E> {
                Ok(Names::default())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Names, A::Error> {
                let mut names = Vec::new();
                while let Some(name) = list.next_element()? {
                    names.push(name);
                }
                Ok(Names(names))
            }
        }

        deserializer.deserialize_any(Either)
    }
}

/// Numbers identify pages as well.
pub(crate) fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a string or a number")]
    enum Id {
        Text(String),
        Number(serde_json::Number),
    }
    let id = Option::<Id>::deserialize(deserializer)?;
    Ok(id.map(|id| match id {
        Id::Text(text) => text,
        Id::Number(number) => number.to_string(),
    }))
}

/// The options that decide which extractor is used.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct WorkKey {
    pub(crate) method: Selection,
    bias: Bias,
    hidden: HiddenOption,
    pub(crate) fields: Fields,
    chunking: Chunking,
    encoding: Option<String>,
    millis: u64,
    /// Rules of the client.
    pub(crate) rules: Option<String>,
}

impl WorkKey {
    pub(crate) fn work_options(&self, limits: &Limits) -> WorkOptions {
        WorkOptions {
            method: self.method,
            bias: self.bias,
            hidden: match self.hidden {
                HiddenOption::Drop => HiddenText::Drop,
                HiddenOption::Keep => HiddenText::Keep,
                HiddenOption::Flag => HiddenText::Flag,
            },
            fields: self.fields,
            chunking: self.chunking,
            encoding: self.encoding.clone(),
            bounds: Bounds { bytes: limits.max_bytes, time: Duration::from_millis(self.millis) },
            ..WorkOptions::default()
        }
    }
}

/// Options that were checked.
#[derive(Clone, Debug)]
pub(crate) struct Extraction {
    pub(crate) key: WorkKey,
    render: RenderOptions,
    fetched: Option<Moment>,
    format: Format,
}

impl PageRequest {
    /// What is said here wins over `other`, which is the query.
    pub(crate) fn or(self, other: PageRequest) -> PageRequest {
        let names = |own: Names, other: Names| if own.0.is_empty() { other } else { own };
        PageRequest {
            html: self.html,
            id: self.id,
            url: self.url.or(other.url),
            content_type: self.content_type.or(other.content_type),
            fetched: self.fetched.or(other.fetched),
            encoding: self.encoding.or(other.encoding),
            method: self.method.or(other.method),
            precision: self.precision.or(other.precision),
            recall: self.recall.or(other.recall),
            bias: self.bias.or(other.bias),
            rules: self.rules.or(other.rules),
            methods: names(self.methods, other.methods),
            with: names(self.with, other.with),
            headline: self.headline.or(other.headline),
            hidden: self.hidden.or(other.hidden),
            fields: names(self.fields, other.fields),
            chunks: self.chunks.or(other.chunks),
            timeout: self.timeout.or(other.timeout),
        }
    }

    /// The methods of an explanation.
    pub(crate) fn explained_methods(&self) -> Answer<Vec<Selection>> {
        match self.methods.0.as_slice() {
            [] => Ok(Selection::all().collect()),
            [all] if all == "all" => Ok(Selection::all().collect()),
            names => names.iter().map(|name| method(name)).collect(),
        }
    }

    /// Checks the options for an output.
    pub(crate) fn extraction(&self, format: Format, limits: &Limits) -> Answer<Extraction> {
        let method = self.method.as_deref().map(method).transpose()?.unwrap_or_default();
        let bias = match (self.precision == Some(true), self.recall == Some(true)) {
            (true, true) => return Err(Problem::bad_request("give precision or recall, not both")),
            (true, false) => Bias::Precision,
            (false, true) => Bias::Recall,
            (false, false) => match self.bias {
                None => Bias::Balanced,
                #[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
                Some(level) if (-1.0..=1.0).contains(&level) => Bias::Percent((level * 100.0).round() as i8),
                Some(_) => return Err(Problem::bad_request("bias: give a number from -1 to 1")),
            },
        };
        let hidden = self.hidden.unwrap_or_default();
        let shown = |what: &str| self.with.0.iter().any(|name| name == what);
        if let Some(name) = self
            .with
            .0
            .iter()
            .find(|name| !["links", "images", "comments", "metadata"].contains(&name.as_str()))
        {
            let detail = format!("with: there is no {name:?}; give links, images, comments or metadata");
            return Err(Problem::bad_request(detail));
        }
        let comments = &[RecordField::Comments];
        let fields = match format {
            Format::Json if self.fields.0.is_empty() => Fields::default(),
            Format::Json => {
                let fields: Result<Fields, _> =
                    self.fields.0.iter().map(|name| name.parse::<RecordField>()).collect();
                fields.map_err(|error| Problem::bad_request(error.to_string()))?
            }
            Format::Text => Fields::of(&[RecordField::Text]),
            _ => Fields::default().without(comments),
        };
        let fields = if shown("comments") { fields.with(comments) } else { fields };
        let chunking = self.chunks.as_deref().map(str::parse::<Chunking>).transpose();
        let chunking = chunking.map_err(|error| Problem::bad_request(format!("chunks: {error}")))?;
        let fields = match chunking {
            Some(_) if format != Format::Json => {
                return Err(Problem::bad_request("chunks: accept application/json, other formats have none"));
            }
            Some(_) => fields.with(&[RecordField::Chunks]),
            None => fields,
        };
        let timeout = match self.timeout.map(Duration::try_from_secs_f64) {
            None => limits.timeout,
            Some(Ok(time)) if !time.is_zero() => time.min(limits.timeout),
            Some(_) => return Err(Problem::bad_request("timeout: give a number of seconds over 0")),
        };
        let fetched = self.fetched.as_deref().map(moment).transpose()?;
        let encoding = self.encoding.clone();
        if let Some(label) = &encoding {
            let decoder = tamis_html::decode::Decoder::new().encoding_label(label);
            decoder.map_err(|error| Problem::bad_request(error.to_string()))?;
        }
        let millis = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX).max(1);
        let (chunking, rules) = (chunking.unwrap_or_default(), self.rules.clone());
        let key = WorkKey { method, bias, hidden, fields, chunking, encoding, millis, rules };
        let render = RenderOptions::new()
            .links(shown("links"))
            .images(shown("images"))
            .metadata(shown("metadata"))
            .headline(match self.headline {
                None | Some(HeadlineOption::Auto) => Headline::Auto,
                Some(HeadlineOption::Always) => Headline::Always,
                Some(HeadlineOption::Never) => Headline::Never,
            });
        Ok(Extraction { key, render, fetched, format })
    }
}

fn method(name: &str) -> Answer<Selection> {
    name.parse().map_err(|_| {
        let known: Vec<&str> = Selection::all().map(|method| method.name()).collect();
        Problem::bad_request(format!("there is no method {name:?}; the methods are {}", known.join(", ")))
    })
}

/// A day, a time or seconds since 1970.
fn moment(text: &str) -> Answer<Moment> {
    let seconds = text.parse().ok().filter(|_| text.len() > 4).and_then(Moment::from_unix);
    seconds.or_else(|| Moment::parse_iso(text)).ok_or_else(|| {
        Problem::bad_request(
            "fetched: give a time such as 2010-12-15, 2010-12-15T08:30+01:00 or seconds since 1970",
        )
    })
}

impl Extraction {
    /// The page for the extractor.
    pub(crate) fn page<'a>(&self, html: Html<'a>, about: &'a PageRequest) -> PageIn<'a> {
        PageIn {
            url: about.url.as_deref(),
            content_type: about.content_type.as_deref(),
            fetched: self.fetched.map(|time| time.to_unix().saturating_mul(1_000_000)),
            reference_time: self.fetched,
            ..PageIn::of(html)
        }
    }

    /// The record in the format that was asked for.
    pub(crate) fn render(&self, record: &Record) -> String {
        let Some(document) = record.document.as_ref().filter(|_| self.format != Format::Json) else {
            return record.to_json(self.key.fields) + "\n";
        };
        let text = match self.format {
            Format::Markdown => document.to_markdown_with(&self.render),
            Format::Html => document.to_html_with(&self.render),
            Format::Xml => document.to_xml(),
            Format::Tei => document.to_tei(),
            Format::Text | Format::Json => plain_text(document).into_owned(),
        };
        if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" }
    }
}

/// The text, and below it the comments.
fn plain_text(document: &Document) -> Cow<'_, str> {
    if document.comments.is_empty() {
        return Cow::Borrowed(&document.text);
    }
    let comments = document.comments.iter().map(|comment| comment.text.as_str());
    let parts = [document.text.as_str()].into_iter().chain(comments).map(str::trim_end);
    Cow::Owned(parts.collect::<Vec<_>>().join("\n\n"))
}

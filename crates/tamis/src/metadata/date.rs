//! When a piece was published and changed. All mentions of one day are one candidate, so sources support each other.

use tamis_dates::{Form, Hints, Moment};
use tamis_html::Name;

use super::candidate::{Evidence, Signs, signs};
use super::day::{DayPool, join, last_change, recognise_changes, settle_order};
use super::labelled::{DateLabel, date_label};
use super::view::{View, Zone};
use crate::annotate::json_ld::SchemaRole;
use crate::annotate::microdata::text_of;
use crate::annotate::{MAX_PHRASE_WORDS, MetaField};

/// Longer lines are running text, in bytes.
const MAX_LINE: usize = 240;
/// Bytes around the date of a tooltip.
const MAX_AROUND: usize = 24;
/// Mentions taken from each of the text and the rest of the page.
const MAX_FAR: usize = 12;
/// Pages are not older. An earlier date needs data, a label or a line of its own.
const FIRST_YEAR: i16 = 1990;

use DateSign::*;

signs! { DateSign, "published",
    Any "any", Hint "hint", Json "datePublished in JSON-LD", JsonOther "other date in JSON-LD",
    JsonPage "datePublished of the page in JSON-LD", MetaStrong "meta of publication",
    MetaMedium "meta of creation", MetaWeak "meta date", Microdata "microdata", Address "address",
    AddressAmbiguous "address, order unknown", TimeHead "time by the headline", TimeInside "time in the text",
    TimeTail "time below the text", TimeFar "time elsewhere", FirstTime "first time",
    LineHead "line by the headline", LineInside "line in the text", LineTail "line below the text",
    LineFar "line elsewhere", LineAlone "the line is the date", LineLong "long line",
    ClassDate "class of a date", Labelled "label of publication", LabelledFirst "label of first publication",
    LabelledDate "word for a date", BeforeHeadline "above the headline",
    BehindHeadline "right below the headline", FirstSeen "first date on the page",
    FirstNear "first date by the headline", ForumFirst "first date of a thread", Listing "on a listing",
    Ambiguous "order of day and month unknown", ShortYear "two digits of the year", NoYear "no year",
    Relative "relative", Rough "no day", HasTime "with a time", Other "label of something else",
    Others "another story, a comment or a caption", Aside "beside the text", Sentence "in a sentence",
    PageHeader "in the page header", Modified "data of the last change",
    ModifiedLabel "label of the last change", ModifiedToo "day of the last change as well",
    LocalDay "a day beside that of data in UTC", UtcDay "data in UTC beside a day shown",
    OlderThanData "older than data", NewerThanData "newer than data",
    NewerThanSeen "data newer than the day shown", Oldest "oldest", Newest "newest",
    DataAndAddress "data and address",
    ShownAndAddress "a day by the headline and address", ManyItems "microdata of many days",
    ShownChange "shown, and the last change by data", ShownAgainstData "shown, and data have another day",
    InsideAgainstData "in the text, and data have another day", JsonAgainstMeta "JSON-LD, and meta has another day", OnlyDay "only day",
    NewerOfData "data have an older day", ChangeBesideLabel "change beside a label of publication",
    Rule "site rule",
}

/// One place where a date stands.
pub(super) struct Mention {
    pub(super) moment: Moment,
    pub(super) alternative: Option<Moment>,
    pub(super) evidence: Evidence,
    pub(super) signs: Signs,
    pub(super) is_weak: bool,
    pub(super) is_modified: bool,
}

/// What the search shares.
struct Search<'v, 'p> {
    view: &'v View<'p>,
    hints: Hints<'v>,
    mentions: Vec<Mention>,
}

/// Dates of publication, and the date of the last change with its evidence.
pub(crate) fn candidates(view: &View<'_>, language: Option<&str>) -> (DayPool, Option<(Moment, Evidence)>) {
    let hints =
        Hints { language, reference: view.context.reference_time, month_first: month_first(view, language) };
    let mut search = Search { view, hints, mentions: Vec::new() };
    search.declared();
    search.address();
    search.times();
    search.lines();
    search.classes();
    let mut mentions = search.mentions;
    // A timeline is text; another source has the page's own date.
    let is_old = |it: &Mention| it.evidence == Evidence::Text && it.moment.year() < FIRST_YEAR;
    if mentions.iter().any(|it| it.evidence != Evidence::Text && it.moment.year() >= FIRST_YEAR) {
        mentions.retain(|it| !is_old(it) || it.signs.has_any(&[Labelled, LabelledFirst, LabelledDate]));
    }
    settle_order(&mut mentions);
    recognise_changes(&mut mentions);
    let modified = last_change(&mentions);
    (join(view, &mentions), modified)
}

/// Whether 3/4/2021 is the fourth of March: in English of America and of no known country.
fn month_first(view: &View<'_>, language: Option<&str>) -> Option<bool> {
    let mut parts = language?.split('-');
    if parts.next() != Some("en") {
        return None;
    }
    if let Some(region) = parts.find(|part| part.len() == 2) {
        return Some(matches!(region, "US" | "PH" | "CA"));
    }
    let host = view.url.as_ref().and_then(|url| url.host_str()).unwrap_or_default();
    let ending = host.rsplit('.').next().unwrap_or_default();
    Some(ending.len() != 2 || matches!(ending, "us" | "io" | "ai" | "co" | "tv" | "me"))
}

impl Search<'_, '_> {
    fn add(&mut self, moment: Moment, evidence: Evidence, sign: DateSign) -> &mut Mention {
        let mut signs = Signs::default();
        signs.add(sign);
        self.mentions.push(Mention {
            moment,
            alternative: None,
            evidence,
            signs,
            is_weak: false,
            is_modified: false,
        });
        let last = self.mentions.len() - 1;
        &mut self.mentions[last]
    }

    fn read(&self, value: &str) -> Option<Moment> {
        tamis_dates::read(value, &self.hints)
    }

    /// Hints, JSON-LD, `meta` and microdata.
    fn declared(&mut self) {
        let view = self.view;
        let ruled = view.rule_values(|rules| &rules.date);
        let first = |text: &String| tamis_dates::find(text, &self.hints).into_iter().next();
        if let Some(moment) = ruled.iter().find_map(|it| self.read(it).or_else(|| Some(first(it)?.moment))) {
            self.add(moment, Evidence::SiteRule, Rule);
        }
        if let Some(hints) = view.context.hints {
            let reference = self.hints.reference;
            let is_past = |moment: &Moment| reference.is_none_or(|now| !moment.is_after(&now));
            if let Some(moment) = hints.published.filter(is_past) {
                self.add(moment, Evidence::Hint, Hint);
            }
            if let Some(moment) = hints.modified.filter(is_past) {
                self.add(moment, Evidence::Hint, Modified).is_modified = true;
            }
        }
        let graph = &view.head.graph;
        let page = graph
            .find(|object| graph.role(object) == Some(SchemaRole::Page))
            .filter(|page| Some(*page) != view.piece);
        for (object, published) in [(view.piece, Json), (page, JsonPage)] {
            let Some(object) = object else { continue };
            let is_page = graph.role(object) == Some(SchemaRole::Page);
            let published = if is_page { JsonPage } else { published };
            for (key, sign) in [
                ("datePublished", published),
                ("dateCreated", JsonOther),
                ("uploadDate", JsonOther),
                ("datePosted", JsonOther),
                ("dateModified", Modified),
            ] {
                if let Some(moment) = graph.text_of(object, key).and_then(|text| self.read(text)) {
                    self.add(moment, Evidence::JsonLd, sign).is_modified = sign == Modified;
                }
            }
        }
        for meta in &view.head.metas {
            let sign = match (meta.field, meta.priority) {
                (MetaField::Published, 8..) => MetaStrong,
                (MetaField::Published, 6..) => MetaMedium,
                (MetaField::Published, _) => MetaWeak,
                (MetaField::Modified, _) => Modified,
                _ => continue,
            };
            if let Some(moment) = self.read(&meta.content) {
                self.add(moment, Evidence::Meta, sign).is_modified = sign == Modified;
            }
        }
        for property in &view.head.marked.properties {
            let has = |wanted: &[&str]| property.names.iter().any(|name| wanted.contains(name));
            let sign = match () {
                () if has(&["datepublished", "published", "issued", "pubdate"]) => Microdata,
                () if has(&["datecreated", "date", "uploaddate"]) => MetaWeak,
                () if has(&["datemodified", "modified"]) => Modified,
                () => continue,
            };
            let is_foreign = matches!(property.scope, Some(SchemaRole::Foreign | SchemaRole::Person));
            let block = property.at.block as usize;
            let Some(node) = view.page.dom.node(property.at.node).filter(|_| !is_foreign) else { continue };
            let value = crate::annotate::microdata::value(node);
            if let Some(moment) = self.read(&value) {
                let is_weak = node.name_id() != Some(Name::META) && view.is_of_others(block);
                let mention = self.add(moment, Evidence::Microdata, if is_weak { Others } else { sign });
                (mention.is_weak, mention.is_modified) = (is_weak, sign == Modified);
            }
        }
    }

    fn address(&mut self) {
        let Some(url) = &self.view.url else { return };
        let hints = Hints { language: None, ..self.hints };
        if let Some(found) =
            tamis_dates::read_url_date(url.path(), &hints).filter(|found| found.moment.year() >= FIRST_YEAR)
        {
            let sign = if found.alternative.is_some() { AddressAmbiguous } else { Address };
            self.add(found.moment, Evidence::Address, sign).alternative = found.alternative;
        }
    }

    /// `time` elements.
    fn times(&mut self) {
        let view = self.view;
        for (place, at) in view.head.marked.times.iter().enumerate() {
            let Some(node) = view.page.dom.node(at.node) else { continue };
            let text = text_of(node, 80, true, |_| false);
            let carried =
                node.attribute_named(Name::DATETIME).or_else(|| node.attribute_named(Name::CONTENT));
            let carried = carried.and_then(|value| self.read(&value));
            let said = tamis_dates::find(&text, &self.hints).into_iter().next();
            let form = said.as_ref().filter(|_| carried.is_none()).map_or(Form::Full, |said| said.form);
            let alternative = said
                .as_ref()
                .filter(|said| carried.is_none_or(|it| it == said.moment))
                .and_then(|said| said.alternative);
            let Some(moment) = carried.or(said.map(|said| said.moment)) else { continue };
            let block = at.block as usize;
            let zone = view.zone(block);
            let sign = match zone {
                Zone::Head => TimeHead,
                Zone::Inside => TimeInside,
                Zone::Tail => TimeTail,
                Zone::Far => TimeFar,
            };
            let line = view
                .page
                .blocks
                .len()
                .checked_sub(1)
                .map(|last| view.line(block.min(last)))
                .unwrap_or_default();
            let before = line.find(text.as_str()).filter(|_| !text.is_empty()).map_or("", |at| &line[..at]);
            let class = node.attribute_named(Name::CLASS).unwrap_or_default().to_ascii_lowercase();
            let mut label = date_label(before, "");
            if label.is_none() && class.contains("publish") || node.attribute("pubdate").is_some() {
                label = Some(DateLabel::Published);
            } else if label.is_none() && (class.contains("updated") || class.contains("modified")) {
                label = Some(DateLabel::Modified);
            }
            let is_other = zone != Zone::Head && (view.is_of_others(block) || view.in_linked_item(block));
            let is_aside = view.is_aside(block);
            let mention = self.add(moment, Evidence::TimeElement, sign);
            mention.alternative = alternative;
            mention.signs.add_if(place == 0, FirstTime);
            mention.label(label);
            mention.form(form);
            mention.weaken(is_other, Others);
            mention.weaken(is_aside && zone != Zone::Head, Aside);
            self.place(block, zone);
        }
    }

    /// Adds a sign to the last mention if it is beside the headline.
    fn place(&mut self, block: usize, zone: Zone) {
        let (view, Some(mention)) = (self.view, self.mentions.last_mut()) else { return };
        if let (Zone::Head, Some(headline)) = (zone, view.headline) {
            mention.signs.add_if(block < headline, BeforeHeadline);
            mention.signs.add_if(block > headline && block <= headline + 3, BehindHeadline);
        }
        mention.weaken(
            zone != Zone::Inside && view.in_page_header(block) && view.headline != Some(block),
            PageHeader,
        );
    }

    /// Dates in lines of text.
    fn lines(&mut self) {
        let view = self.view;
        let (mut far, mut inside) = (0, 0);
        for block in 0..view.page.blocks.len() {
            let zone = view.zone(block);
            let counts = &view.page.blocks.counts[block];
            if (zone == Zone::Far && far >= MAX_FAR) || (zone == Zone::Inside && inside >= MAX_FAR) {
                continue;
            }
            // Far from the headline, what no longer looks like a date without its words counts for nothing.
            let labels = &view.annotations.labels;
            if zone != Zone::Head && counts.words <= MAX_PHRASE_WORDS && !labels.has_date[block] {
                continue;
            }
            let text = view.page.blocks.text(block);
            // A date has a digit, perhaps of another script, or is relative ("yesterday") beside the text.
            let is_short = text.len() <= MAX_LINE;
            let may_be_words = self.hints.reference.is_some() || !text.is_ascii();
            if text.len() < 5
                || (!is_short && zone == Zone::Far)
                || (counts.digits == 0 && (zone != Zone::Head || !is_short || !may_be_words))
            {
                continue;
            }
            // Within the text, only the start of a long block can be a dateline.
            let is_dateline = !is_short && zone == Zone::Inside;
            let limit = match (is_short, is_dateline) {
                (true, _) => usize::MAX,
                (_, true) => 24,
                _ => 120,
            };
            let start = &text.as_bytes()[..text.len().min(limit)];
            if is_dateline && !start.iter().any(|byte| byte.is_ascii_digit() || !byte.is_ascii()) {
                continue;
            }
            let line = if zone == Zone::Head && is_short {
                view.line(block)
            } else {
                text[..text.floor_char_boundary(limit)].to_owned()
            };
            let hints = if zone == Zone::Head || zone == Zone::Tail {
                self.hints
            } else {
                Hints { reference: None, ..self.hints }
            };
            for found in tamis_dates::find(&line, &hints) {
                let (before, behind) = (&line[..found.range.start], &line[found.range.end..]);
                let word = before.rfind(char::is_whitespace).map_or(before, |space| &before[space..]);
                let in_code = behind.starts_with('"') && before.trim_end_matches(['"', ' ']).ends_with("\":");
                if (is_dateline && found.range.start > 0)
                    || word.contains("://")
                    || word.contains("www.")
                    || in_code
                {
                    continue;
                }
                far += usize::from(zone == Zone::Far);
                inside += usize::from(zone == Zone::Inside);
                self.line(block, zone, &line, &found);
            }
        }
    }

    fn line(&mut self, block: usize, zone: Zone, line: &str, found: &tamis_dates::Found) {
        let view = self.view;
        let (before, behind) = (&line[..found.range.start], &line[found.range.end..]);
        let label = date_label(before, behind);
        let rest = line.len() - found.range.len();
        let sign = match zone {
            Zone::Head => LineHead,
            Zone::Inside => LineInside,
            Zone::Tail => LineTail,
            Zone::Far => LineFar,
        };
        let is_counted = matches!(found.form, Form::NoYear | Form::Relative);
        if label.is_none() && rest > 3 && found.moment.year() < FIRST_YEAR {
            return;
        }
        // In a sentence a date says when something happened.
        let words = |text: &str| text.split_whitespace().count();
        let is_inside = words(before) >= 3 && words(behind) >= 3;
        let is_sentence = label.is_none()
            && rest > if zone == Zone::Head && !is_inside { 60 } else { 30 }
            && (line.trim_end().ends_with(['.', '。', '!', '?']) || words(before) >= 5 || is_counted);
        let is_other = zone != Zone::Head && (view.is_of_others(block) || view.in_linked_item(block));
        let is_aside = zone != Zone::Inside && view.is_aside(block);
        let is_headline = view.headline == Some(block);
        let mention = self.add(found.moment, Evidence::Text, sign);
        mention.alternative = found.alternative;
        mention.signs.add_if(rest <= 3, LineAlone);
        mention.signs.add_if(rest > 80, LineLong);
        if label.is_some_and(|label| label != DateLabel::Other) {
            mention.evidence = Evidence::Label;
        }
        mention.label(label);
        mention.form(found.form);
        mention.weaken(is_sentence || (is_headline && rest > 12), Sentence);
        mention.weaken(is_other || view.is_caption(block), Others);
        mention.weaken(is_aside, Aside);
        self.place(block, zone);
    }

    /// Elements whose class names a date, with their machine-readable values.
    fn classes(&mut self) {
        let view = self.view;
        for at in &view.head.marked.date_classes {
            let block = at.block as usize;
            let zone = view.zone(block);
            let Some(node) =
                view.page.dom.node(at.node).filter(|_| zone == Zone::Head && !view.is_of_others(block))
            else {
                continue;
            };
            // A tooltip that says more than a date is about something else.
            let is_date = |text: &str| {
                let first = tamis_dates::find(text, &self.hints).into_iter().next();
                first.is_none_or(|found| text.len() - found.range.len() <= MAX_AROUND)
            };
            let carried = [Name::TITLE, Name::CONTENT].iter().filter_map(|name| node.attribute_named(*name));
            let carried = carried.map(|it| it.into_owned()).filter(|text| is_date(text)).chain(
                ["data-date", "data-time", "data-published"]
                    .iter()
                    .filter_map(|name| node.attribute(name))
                    .map(|it| it.into_owned()),
            );
            let carried = carried.into_iter().find_map(|value| self.read(&value));
            let text = text_of(node, 120, true, |_| false);
            let said = || tamis_dates::find(&text, &self.hints).into_iter().find(|_| text.len() <= 80);
            let said = said().filter(|found| {
                date_label(&text[..found.range.start], "")
                    .is_none_or(|label| matches!(label, DateLabel::Published | DateLabel::Date))
            });
            let alternative = said.as_ref().filter(|_| carried.is_none()).and_then(|found| found.alternative);
            if let Some(moment) = carried.or(said.map(|found| found.moment)) {
                self.add(moment, Evidence::ClassName, ClassDate).alternative = alternative;
            }
        }
    }
}

impl Mention {
    fn label(&mut self, label: Option<DateLabel>) {
        match label {
            Some(DateLabel::Published) => self.signs.add(Labelled),
            Some(DateLabel::FirstPublished) => self.signs.add(LabelledFirst),
            Some(DateLabel::Date) => self.signs.add(LabelledDate),
            Some(DateLabel::Modified) => {
                self.is_modified = true;
                self.signs.add(ModifiedLabel);
            }
            Some(DateLabel::Other) => self.weaken(true, Other),
            None => {}
        }
    }

    fn form(&mut self, form: Form) {
        match form {
            Form::ShortYear => self.signs.add(ShortYear),
            Form::NoYear => self.signs.add(NoYear),
            Form::Relative => self.signs.add(Relative),
            _ => {}
        }
    }

    /// Marks a mention as the date of something else.
    fn weaken(&mut self, condition: bool, sign: DateSign) {
        self.is_weak |= condition;
        self.signs.add_if(condition, sign);
    }
}

//! The mode "in body", in which nearly all of a page is parsed.

use crate::arena::NONE;
use crate::dom::{Namespace, QuirksMode};
use crate::name::Name;
use crate::tokenizer::{ContentModel, Tag};

use super::formatting_list::Formatting;
use super::open_elements::Open;
use super::{Builder, Mode, Next};

const HEADINGS: &[Name] = &[Name::H1, Name::H2, Name::H3, Name::H4, Name::H5, Name::H6];

impl Builder<'_> {
    pub(super) fn in_body_start(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::DIV
            | Name::ADDRESS
            | Name::ARTICLE
            | Name::ASIDE
            | Name::BLOCKQUOTE
            | Name::CENTER
            | Name::DETAILS
            | Name::DIALOG
            | Name::DIR
            | Name::DL
            | Name::FIELDSET
            | Name::FIGCAPTION
            | Name::FIGURE
            | Name::FOOTER
            | Name::HEADER
            | Name::HGROUP
            | Name::MAIN
            | Name::MENU
            | Name::NAV
            | Name::OL
            | Name::P
            | Name::SEARCH
            | Name::SECTION
            | Name::SUMMARY
            | Name::UL => {
                self.close_p();
                self.insert_html(tag);
            }
            Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6 => {
                self.close_p();
                if HEADINGS.iter().any(|&heading| self.open.top_is(heading)) {
                    self.pop();
                }
                self.insert_html(tag);
            }
            Name::A => {
                if let Some(in_list) = self.formatting.find(Name::A) {
                    let node = self.formatting.get(in_list).node;
                    self.adopt(Name::A);
                    if let Some(place) = self.formatting.place_of(node) {
                        self.formatting.remove(place);
                    }
                    if let Some(place) = self.open.place_of(Name::A, node)
                        && let Some(entry) = self.open.remove(place)
                    {
                        self.close_node(&entry);
                    }
                }
                self.start_formatting(tag);
            }
            Name::B
            | Name::BIG
            | Name::CODE
            | Name::EM
            | Name::FONT
            | Name::I
            | Name::S
            | Name::SMALL
            | Name::STRIKE
            | Name::STRONG
            | Name::TT
            | Name::U => self.start_formatting(tag),
            Name::NOBR => {
                self.reconstruct_formatting();
                if self.open.in_scope(Name::NOBR) && !self.adopt(Name::NOBR) {
                    self.end_ordinary(tag);
                }
                self.start_formatting(tag);
            }
            Name::LI => self.start_item(tag, &[Name::LI]),
            Name::DD | Name::DT => self.start_item(tag, &[Name::DD, Name::DT]),
            Name::AREA | Name::BR | Name::EMBED | Name::IMG | Name::KEYGEN | Name::WBR => {
                self.reconstruct_formatting();
                self.insert_void(tag);
                self.frameset_ok = false;
            }
            Name::IMAGE => return self.in_body_start(Tag { name: Name::IMG, ..tag }),
            Name::PARAM | Name::SOURCE | Name::TRACK => return self.insert_void(tag),
            Name::BASE
            | Name::BASEFONT
            | Name::BGSOUND
            | Name::LINK
            | Name::META
            | Name::NOFRAMES
            | Name::SCRIPT
            | Name::STYLE
            | Name::TEMPLATE
            | Name::TITLE => return self.in_head_start(tag),
            Name::TABLE => {
                if self.quirks != QuirksMode::Quirks {
                    self.close_p();
                }
                self.insert_html(tag);
                self.frameset_ok = false;
                self.mode = Mode::InTable;
            }
            Name::PRE | Name::LISTING => {
                self.close_p();
                self.insert_html(tag);
                self.skip_line_feed = true;
                self.frameset_ok = false;
            }
            Name::FORM => {
                let in_template = self.open.contains(Name::TEMPLATE);
                if self.form == NONE || in_template {
                    self.close_p();
                    let form = self.insert_html(tag);
                    if !in_template {
                        self.form = form;
                    }
                }
            }
            Name::BUTTON => {
                if self.open.in_scope(Name::BUTTON) {
                    self.imply_ends();
                    self.pop_until(Name::BUTTON);
                }
                self.reconstruct_formatting();
                self.insert_html(tag);
                self.frameset_ok = false;
            }
            Name::APPLET | Name::MARQUEE | Name::OBJECT => {
                self.reconstruct_formatting();
                self.insert_html(tag);
                self.formatting.push(Formatting::MARKER);
                self.frameset_ok = false;
            }
            Name::INPUT => return self.start_input(tag),
            Name::HR => {
                self.close_p();
                if self.open.in_scope(Name::SELECT) {
                    self.imply_ends();
                }
                self.insert_void(tag);
                self.frameset_ok = false;
            }
            Name::SELECT => self.start_select(tag),
            Name::OPTION => {
                if self.open.in_scope(Name::SELECT) {
                    self.imply_ends_except(Name::OPTGROUP);
                } else if self.open.top_is(Name::OPTION) {
                    self.pop();
                }
                self.start_ordinary(tag);
            }
            Name::OPTGROUP => {
                if self.open.in_scope(Name::SELECT) {
                    self.imply_ends();
                } else if self.open.top_is(Name::OPTION) {
                    self.pop();
                }
                self.start_ordinary(tag);
            }
            Name::SELECTEDCONTENT => {
                self.start_ordinary(tag);
                let element = self.open.top().map_or(NONE, |top| top.node);
                self.selected_content_opened(element);
            }
            Name::RB | Name::RTC => {
                if self.open.in_scope(Name::RUBY) {
                    self.imply_ends();
                }
                self.insert_html(tag);
            }
            Name::RP | Name::RT => {
                if self.open.in_scope(Name::RUBY) {
                    self.imply_ends_except(Name::RTC);
                }
                self.insert_html(tag);
            }
            Name::PLAINTEXT => {
                self.close_p();
                self.insert_html(tag);
                self.tokenizer.set_content_model(ContentModel::PlainText);
            }
            Name::TEXTAREA => {
                self.skip_line_feed = true;
                self.frameset_ok = false;
                return self.insert_raw(tag, ContentModel::Rcdata);
            }
            Name::XMP => {
                self.close_p();
                self.reconstruct_formatting();
                self.frameset_ok = false;
                return self.insert_raw(tag, ContentModel::RawText);
            }
            Name::IFRAME => {
                self.frameset_ok = false;
                return self.insert_raw(tag, ContentModel::RawText);
            }
            Name::NOEMBED => return self.insert_raw(tag, ContentModel::RawText),
            Name::NOSCRIPT if self.scripting => return self.insert_raw(tag, ContentModel::RawText),
            Name::MATH => {
                self.reconstruct_formatting();
                self.start_foreign(Namespace::MathMl, tag);
            }
            Name::SVG => {
                self.reconstruct_formatting();
                self.start_foreign(Namespace::Svg, tag);
            }
            Name::HTML => {
                if !self.open.contains(Name::TEMPLATE) {
                    self.add_missing_attributes(self.open.node_at(0), tag);
                }
            }
            Name::BODY => {
                if let Some(body) = self.second_is_body()
                    && !self.open.contains(Name::TEMPLATE)
                {
                    self.frameset_ok = false;
                    self.add_missing_attributes(body, tag);
                }
            }
            Name::FRAMESET => {
                if let Some(body) = self.second_is_body()
                    && self.frameset_ok
                {
                    self.arena.detach(body);
                    self.pop_to(1);
                    self.insert_html(tag);
                    self.mode = Mode::InFrameset;
                }
            }
            Name::CAPTION
            | Name::COL
            | Name::COLGROUP
            | Name::FRAME
            | Name::HEAD
            | Name::TBODY
            | Name::TD
            | Name::TFOOT
            | Name::TH
            | Name::THEAD
            | Name::TR => {}
            _ => self.start_ordinary(tag),
        }
        Next::Done
    }

    fn start_ordinary(&mut self, tag: Tag) {
        self.reconstruct_formatting();
        self.insert_html(tag);
    }

    fn start_formatting(&mut self, tag: Tag) {
        self.reconstruct_formatting();
        self.insert_html(tag);
        self.push_formatting();
    }

    /// A list item closes the previous one, unless a special element is between them.
    fn start_item(&mut self, tag: Tag, closes: &[Name]) {
        self.frameset_ok = false;
        if let Some(&Open { name, .. }) =
            self.open.item_stop().filter(|stop| closes.iter().any(|&name| stop.is(name)))
        {
            self.imply_ends_except(name);
            self.pop_until(name);
        }
        self.close_p();
        self.insert_html(tag);
    }

    fn start_input(&mut self, tag: Tag) -> Next {
        if self.context_is(Name::SELECT) {
            return Next::Done;
        }
        if self.open.in_scope(Name::SELECT) {
            self.pop_until(Name::SELECT);
        }
        self.reconstruct_formatting();
        self.insert_void(tag);
        if !self.is_hidden_input(tag) {
            self.frameset_ok = false;
        }
        Next::Done
    }

    pub(super) fn is_hidden_input(&self, tag: Tag) -> bool {
        self.tag_attribute(tag, Name::TYPE).is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
    }

    fn start_select(&mut self, tag: Tag) {
        if self.context_is(Name::SELECT) {
            return;
        }
        if self.open.in_scope(Name::SELECT) {
            self.pop_until(Name::SELECT);
            return;
        }
        self.start_ordinary(tag);
        self.frameset_ok = false;
    }

    fn context_is(&self, name: Name) -> bool {
        self.context.as_ref().is_some_and(|context| context.is(name))
    }

    /// The body, if it is the second open element.
    fn second_is_body(&self) -> Option<u32> {
        self.open.get(1).filter(|second| second.is(Name::BODY)).map(|second| second.node)
    }

    pub(super) fn in_body_end(&mut self, tag: Tag) -> Next {
        match tag.name {
            Name::DIV
            | Name::ADDRESS
            | Name::ARTICLE
            | Name::ASIDE
            | Name::BLOCKQUOTE
            | Name::BUTTON
            | Name::CENTER
            | Name::DETAILS
            | Name::DIALOG
            | Name::DIR
            | Name::DL
            | Name::FIELDSET
            | Name::FIGCAPTION
            | Name::FIGURE
            | Name::FOOTER
            | Name::HEADER
            | Name::HGROUP
            | Name::LISTING
            | Name::MAIN
            | Name::MENU
            | Name::NAV
            | Name::OL
            | Name::PRE
            | Name::SEARCH
            | Name::SECTION
            | Name::SELECT
            | Name::SUMMARY
            | Name::UL => {
                if self.open.in_scope(tag.name) {
                    self.imply_ends();
                    self.pop_until(tag.name);
                }
            }
            Name::A
            | Name::B
            | Name::BIG
            | Name::CODE
            | Name::EM
            | Name::FONT
            | Name::I
            | Name::NOBR
            | Name::S
            | Name::SMALL
            | Name::STRIKE
            | Name::STRONG
            | Name::TT
            | Name::U => {
                if !self.adopt(tag.name) {
                    self.end_ordinary(tag);
                }
            }
            Name::P => {
                if !self.open.in_button_scope(Name::P) {
                    self.insert_implied(Name::P);
                }
                self.close_p();
            }
            Name::LI => {
                if self.open.in_item_scope(Name::LI) {
                    self.imply_ends_except(Name::LI);
                    self.pop_until(Name::LI);
                }
            }
            Name::DD | Name::DT => {
                if self.open.in_scope(tag.name) {
                    self.imply_ends_except(tag.name);
                    self.pop_until(tag.name);
                }
            }
            Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6 => {
                if self.open.highest_in_scope(HEADINGS).is_some() {
                    self.imply_ends();
                    if let Some(place) = self.open.highest_of(HEADINGS) {
                        self.pop_to(place);
                    }
                }
            }
            Name::FORM => self.end_form(),
            Name::APPLET | Name::MARQUEE | Name::OBJECT => {
                if self.open.in_scope(tag.name) {
                    self.imply_ends();
                    self.pop_until(tag.name);
                    self.clear_formatting_to_marker();
                }
            }
            Name::BR => {
                let tag = Tag { self_closing: false, attributes: NONE, ..tag };
                return self.in_body_start(tag);
            }
            Name::TEMPLATE => return self.template_end(),
            Name::BODY => {
                if self.open.in_scope(Name::BODY) {
                    self.mode = Mode::AfterBody;
                    self.body_end = Some(self.token.end);
                }
            }
            Name::HTML => {
                if self.open.in_scope(Name::BODY) {
                    self.mode = Mode::AfterBody;
                    self.body_end = Some(self.token.start);
                    return Next::Again;
                }
            }
            _ => self.end_ordinary(tag),
        }
        Next::Done
    }

    /// Any other end tag.
    fn end_ordinary(&mut self, tag: Tag) {
        if let Some(place) = self.open.find_below_special(tag.name) {
            self.imply_ends_except(tag.name);
            self.pop_to(place);
        }
    }

    fn end_form(&mut self) {
        if self.open.contains(Name::TEMPLATE) {
            if self.open.in_scope(Name::FORM) {
                self.imply_ends();
                self.pop_until(Name::FORM);
            }
            return;
        }
        let form = std::mem::replace(&mut self.form, NONE);
        let Some(place) =
            self.open.place_of(Name::FORM, form).filter(|&place| self.open.place_in_scope(place))
        else {
            return;
        };
        self.imply_ends();
        // Elements that are open inside of the form stay open.
        if let Some(entry) = self.open.remove(place) {
            self.close_node(&entry);
        }
    }
}

//! Nasty markup from a seed: tags of every kind in any order, cut, doubled and broken.
//!
//! It comes in pieces, so that a case that fails can be made smaller by leaving pieces out.

// The tests that share this file use different parts of it.
#![allow(dead_code)]

/// Names with rules of their own, and a few without.
const NAMES: &[&str] = &[
    "a",
    "abbr",
    "address",
    "annotation-xml",
    "applet",
    "area",
    "article",
    "b",
    "base",
    "basefont",
    "bgsound",
    "big",
    "blockquote",
    "body",
    "br",
    "button",
    "caption",
    "center",
    "circle",
    "code",
    "col",
    "colgroup",
    "command",
    "dd",
    "desc",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "fieldset",
    "figure",
    "font",
    "footer",
    "foreignObject",
    "form",
    "frame",
    "frameset",
    "g",
    "h1",
    "h2",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "i",
    "iframe",
    "image",
    "img",
    "input",
    "isindex",
    "keygen",
    "label",
    "li",
    "link",
    "linearGradient",
    "listing",
    "main",
    "malignmark",
    "marquee",
    "math",
    "menu",
    "menuitem",
    "meta",
    "mglyph",
    "mi",
    "mn",
    "mo",
    "ms",
    "mtext",
    "nav",
    "nobr",
    "noembed",
    "noframes",
    "noscript",
    "object",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "path",
    "plaintext",
    "pre",
    "rb",
    "rp",
    "rt",
    "rtc",
    "ruby",
    "s",
    "script",
    "search",
    "section",
    "select",
    "selectedcontent",
    "small",
    "source",
    "span",
    "strike",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "svg",
    "table",
    "tbody",
    "td",
    "template",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "tt",
    "u",
    "ul",
    "var",
    "wbr",
    "x-y",
    "xmp",
];

/// Names whose rules touch each other most, so that they meet often.
const BUSY: &[&[&str]] = &[
    &[
        "table", "tbody", "tr", "td", "th", "caption", "colgroup", "col", "thead", "form", "input", "b", "p",
        "div", "select", "template",
    ],
    &[
        "a", "b", "i", "nobr", "font", "em", "p", "div", "table", "td", "button", "object", "marquee", "li",
        "span", "applet",
    ],
    &[
        "svg",
        "math",
        "mi",
        "mtext",
        "foreignObject",
        "desc",
        "title",
        "annotation-xml",
        "p",
        "div",
        "b",
        "font",
        "table",
        "script",
        "style",
        "g",
    ],
    &[
        "select",
        "option",
        "optgroup",
        "selectedcontent",
        "hr",
        "input",
        "button",
        "div",
        "table",
        "tr",
        "template",
        "textarea",
        "b",
        "p",
        "svg",
    ],
    &[
        "template", "tr", "td", "col", "table", "div", "head", "body", "frameset", "title", "script", "b",
        "form", "select",
    ],
    &[
        "html", "head", "body", "frameset", "frame", "noframes", "title", "meta", "base", "script", "style",
        "noscript", "p", "template",
    ],
    &[
        "ul", "ol", "li", "dl", "dd", "dt", "p", "div", "address", "h1", "h2", "ruby", "rt", "rp", "rb",
        "rtc", "b", "pre",
    ],
];

const ATTRIBUTES: &[&str] = &[
    " id=x",
    " class='a b'",
    " href=\"?a&amp;b&copy=1&lt\"",
    " type=hidden",
    " type=HIDDEN",
    " type=text",
    " checked",
    " color=red",
    " size=1",
    " face=x",
    " encoding=text/html",
    " encoding='application/xhtml+xml'",
    " xlink:href=#a",
    " xml:lang=en",
    " xmlns='http://www.w3.org/2000/svg'",
    " xmlns:xlink=x",
    " viewbox=0",
    " definitionurl=x",
    " a=1 a=2",
    " =",
    " ==x",
    " \"",
    " '",
    " <",
    " a=\"\r\n\0\"",
    " a=&#0;",
    " b=&notin;&notit;",
    " A=B",
    " /",
    "/",
    " a/b",
    " é=ü",
    " a = b",
    " selected",
    " disabled",
    " multiple",
    " action=x",
    " prompt=x",
    " charset=utf-8",
    " a=\"",
    " a='",
    " shadowrootmode=open",
    " data-very-long-name-indeed=1",
];

const OTHER: &[&str] = &[
    "text",
    " ",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "\u{c}",
    "\0",
    "é",
    "漢字",
    "&amp;",
    "&lt",
    "&notit;",
    "&notin;",
    "&#0;",
    "&#x80;",
    "&#xD800;",
    "&#10;",
    "&#13;",
    "&#32;",
    "&Tab;",
    "&",
    "&;",
    "&#",
    "&#x",
    "&nbsp;",
    "&copy=",
    "&CounterClockwiseContourIntegral;",
    "&bne;",
    "\u{feff}",
    "<",
    ">",
    "</",
    "</>",
    "</ x>",
    "<1",
    "<?php ?>",
    "<?",
    "<!",
    "<!>",
    "<!x>",
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "<!--->",
    "<!---->",
    "<!-- a -- b -->",
    "<!--a--!b-->",
    "<!-- <!-- -->",
    "<!--a<!--b-->",
    "<![CDATA[",
    "]]>",
    "<![CDATA[a]]>",
    "<![CDATA[ <p> \0 ]] ]]>",
    "<!doctype html>",
    "<!doctype>",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"x\">",
    "<!doctype html public '-//w3c//dtd html 3.2//'>",
    "<!DOCTYPE html SYSTEM \"about:legacy-compat\">",
    "<!doctype html public \"a\"'b'>",
    "<!doctype a\0b public>",
    "<!doctype html x>",
    "<!doctype html public \"a>",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\">",
    "<script>",
    "</script>",
    "<script><!--",
    "<script><!--<script>",
    "<script>a</scr",
    "</script x='>'>",
    "<title>",
    "</title>",
    "<textarea>\n",
    "</textarea>",
    "<style><!--",
    "</style",
    "<plaintext>",
    "</br>",
    "</p>",
    "</sarcasm>",
];

/// Trouble that people have found before.
const SNIPPETS: &[&str] = &[
    "<a><b><p></a>x</b>",
    "<b><b><b><b><p></b>x",
    "<p><b><i></p>x</b>y",
    "<table><a>x<tr>y</a><td>z",
    "<table>x<b>y<tr>z</b>",
    "<svg><desc><p></svg>x",
    "<math><mi><svg><foreignObject><p></math>",
    "<select><option>a<optgroup><option>b</select>",
    "<template><tr><td>x</template><td>",
    "<table><template><tr></table></template>",
    "<frameset><frame></frameset> x<noframes>y",
    "<form><div></form><form>x",
    "<button><p><button>x</p>",
    "<nobr>a<nobr>b<div></nobr>c",
    "<ul><li><div><li>x</ul>",
    "<svg><title><![CDATA[x]]></title><![CDATA[<p>]]></svg>",
    "<pre>\n\nx<listing>&#10;y",
    "<body a=1><body b=2><html c=3>",
    "<math><annotation-xml encoding=text/html><p>x</annotation-xml></math>",
    "<a><table><a></table><p><a>",
    "</body></html>x<!--y--></body>",
    "<table><input type=hidden><input><form></table>",
    "<select><input><textarea><keygen>",
    "<object><b><object></object><p>x</b>",
    "<head></head><title>x</title><noscript><p>y</noscript>",
    "<font color=a><font color=a><font color=a><font color=a><p>x",
    "<table><colgroup>x<col></colgroup><caption><td></caption>",
    "<svg></p><math></br><font size=1>",
    "<h1><h2></h1>x</h2>",
    "<table><tr><td><table></td>x</table>",
    "<rtc><rt><rp><rb>x</ruby>",
    "<a><svg><tr><input></a>",
    "<i><table><td></i>x</table>y",
];

/// The elements inside which fragments are parsed.
pub(crate) const CONTEXTS: &[&str] = &[
    "div",
    "body",
    "html",
    "head",
    "table",
    "tbody",
    "tr",
    "td",
    "caption",
    "colgroup",
    "select",
    "option",
    "template",
    "frameset",
    "title",
    "textarea",
    "script",
    "style",
    "noscript",
    "plaintext",
    "p",
    "form",
    "button",
    "svg svg",
    "svg desc",
    "svg foreignObject",
    "svg title",
    "math math",
    "math mi",
    "math annotation-xml",
    "xmp",
    "iframe",
    "a",
    "ul",
];

/// A small generator of numbers (SplitMix64): what it gives depends on the seed alone, on every machine.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.number() % count as u64) as usize
    }

    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(crate) fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// A case: a page or fragment in pieces.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) pieces: Vec<String>,
    pub(crate) context: Option<&'static str>,
    pub(crate) scripting: bool,
}

impl Case {
    /// The case of a seed.
    pub(crate) fn new(seed: u64) -> Case {
        let chance = &mut Chance(seed);
        let context = chance.one_in(4).then(|| chance.of(CONTEXTS));
        let scripting = chance.one_in(2);
        let names = if chance.one_in(3) { NAMES } else { chance.of(BUSY) };
        // Mostly short: bugs come from a few tags that meet, and short cases are many.
        let most = if chance.one_in(10) { 120 } else { 16 };
        let count = 1 + chance.below(most);
        let mut pieces: Vec<String> = (0..count).map(|_| piece(chance, names)).collect();
        if chance.one_in(3) {
            pieces.insert(0, "<!doctype html>".to_owned());
        }
        if chance.one_in(6) {
            mutate(chance, &mut pieces);
        }
        Case { pieces, context, scripting }
    }

    pub(crate) fn text(&self) -> String {
        self.pieces.concat()
    }

    /// Leaves out pieces, then characters, as long as `fails` stays true.
    pub(crate) fn shrunk(mut self, fails: impl Fn(&Case) -> bool) -> Case {
        for by_character in [false, true] {
            if by_character {
                self.pieces = self.text().chars().map(String::from).collect();
            }
            let mut size = self.pieces.len().div_ceil(2).max(1);
            loop {
                let mut at = 0;
                let mut smaller = false;
                while at < self.pieces.len() {
                    let mut less = self.clone();
                    less.pieces.drain(at..(at + size).min(less.pieces.len()));
                    if fails(&less) {
                        self = less;
                        smaller = true;
                    } else {
                        at += size;
                    }
                }
                if size == 1 && !smaller {
                    break;
                }
                size = if size == 1 { 1 } else { size.div_ceil(2) };
            }
        }
        self
    }
}

fn piece(chance: &mut Chance, names: &[&str]) -> String {
    match chance.below(20) {
        0..9 => start_tag(chance, names),
        9..14 => end_tag(chance, names),
        14 => chance.of(SNIPPETS).to_owned(),
        15..17 => "x".to_owned(),
        _ => chance.of(OTHER).to_owned(),
    }
}

fn name(chance: &mut Chance, names: &[&str]) -> String {
    let name = if chance.one_in(8) { chance.of(NAMES) } else { chance.of(names) };
    if chance.one_in(30) { name.to_ascii_uppercase() } else { name.to_owned() }
}

fn start_tag(chance: &mut Chance, names: &[&str]) -> String {
    let mut tag = format!("<{}", name(chance, names));
    while chance.one_in(4) {
        tag.push_str(chance.of(ATTRIBUTES));
    }
    tag.push_str(if chance.one_in(12) { "/>" } else { ">" });
    tag
}

fn end_tag(chance: &mut Chance, names: &[&str]) -> String {
    let space = if chance.one_in(20) { " x=1 " } else { "" };
    format!("</{}{space}>", name(chance, names))
}

/// Cuts, doubles and swaps pieces, and breaks one in its middle.
fn mutate(chance: &mut Chance, pieces: &mut Vec<String>) {
    for _ in 0..1 + chance.below(4) {
        let at = chance.below(pieces.len());
        match chance.below(4) {
            0 => {
                let again = pieces[at].clone();
                for _ in 0..chance.below(12) {
                    pieces.insert(at, again.clone());
                }
            }
            1 => {
                let end = pieces[at].floor_char_boundary(chance.below(pieces[at].len() + 1));
                pieces[at].truncate(end);
            }
            2 => {
                let place = pieces[at].floor_char_boundary(chance.below(pieces[at].len() + 1));
                let broken = chance.of(OTHER);
                pieces[at].insert_str(place, broken);
            }
            _ => {
                let other = chance.below(pieces.len());
                pieces.swap(at, other);
            }
        }
    }
}

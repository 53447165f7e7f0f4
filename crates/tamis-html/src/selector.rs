//! CSS selectors over the tree, for site rules.
//!
//! Supported: type, `*`, `.class`, `#id`, `[name]`, `[name=value]` with `=`, `~=`, `^=`, `$=` and `*=`, `:not()` of one
//! of these, `:first-of-type`, `:nth-of-type(N)`, descendants, `>`, and lists by comma. `::attr(name)` at the end reads
//! an attribute in place of the text.
//!
//! One walk tests all elements. The state of an element is a bit set of the compound selectors that it and its
//! ancestors match, so time is linear in the page for any selector, without recursion.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use crate::{Deadline, Dom, NodeId, NodeKind, NodeRef, Step};

/// Most compounds of a selector, since each is a bit.
const MAX_COMPOUNDS: usize = 64;

/// A list of CSS selectors, a subset of the standard's.
///
/// ```
/// use tamis_html::{Selector, parse};
///
/// let dom = parse("<div class='story wide'><p>Rain<p class=ad>Umbrellas</div>");
/// assert_eq!(".story > p:not(.ad), h1".parse::<Selector>()?.select(&dom).len(), 1);
/// assert_eq!("p + p".parse::<Selector>().unwrap_err().position, 2);
/// # Ok::<(), tamis_html::SelectorError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Selector {
    text: String,
    compounds: Vec<Compound>,
}

/// The error for an invalid or unsupported selector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem} (byte {position} of the selector)")]
pub struct SelectorError {
    /// Byte offset in the selector.
    pub position: usize,
    /// What is wrong there.
    pub problem: &'static str,
}

/// A compound selector: tests of one element.
#[derive(Clone, Debug, Default, PartialEq)]
struct Compound {
    /// Whether the previous compound must match the parent or any ancestor; `None` for the first compound.
    relation: Option<Relation>,
    tests: Vec<Test>,
    is_last: bool,
    /// The attribute in `::attr()`.
    attribute: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Relation {
    Parent,
    Ancestor,
}

#[derive(Clone, Debug, PartialEq)]
enum Test {
    Type(String),
    Has(String),
    /// Name, first character of the operator, value.
    Attribute(String, char, String),
    /// The position among the siblings of the same type.
    Nth(u32),
    /// Contains no other `Not`.
    Not(Box<Test>),
}

/// A node that [`Selector::visit`] passes.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'d, 's> {
    /// The node.
    pub node: NodeRef<'d>,
    /// Whether it is an element that matches.
    pub is_match: bool,
    /// Whether it is a match or inside of one.
    pub is_inside: bool,
    /// The attribute in `::attr()` of the matching selector.
    pub attribute: Option<&'s str>,
}

impl Selector {
    /// The elements that match, in document order.
    pub fn select(&self, dom: &Dom<'_>) -> Vec<NodeId> {
        let mut found = Vec::new();
        self.visit(dom, None, |visit| found.extend(visit.is_match.then(|| visit.node.id())));
        found
    }

    /// Whether any selector of the list ends in `::attr()`.
    pub fn reads_attribute(&self) -> bool {
        self.compounds.iter().any(|compound| compound.attribute.is_some())
    }

    /// Walks over all nodes in document order, unless the deadline passes.
    pub fn visit<'d, 's>(
        &'s self,
        dom: &'d Dom<'_>,
        deadline: Option<Deadline>,
        mut on_node: impl FnMut(Visit<'d, 's>),
    ) {
        // For each open node: compounds that it matches, compounds that it or an ancestor matches, whether it is inside
        // a match.
        let mut open = vec![(0_u64, 0_u64, false)];
        // Counts of elements by parent and type, if a selector tests positions.
        let (mut counts, has_positions) = (HashMap::new(), self.text.contains("-of-type"));
        for (visited, step) in dom.root().walk().enumerate() {
            if visited % 4096 == 4095 && deadline.is_some_and(Deadline::has_passed) {
                return;
            }
            let Step::Enter(node) = step else {
                open.pop();
                continue;
            };
            let (mut own, mut any, mut is_inside) = open.last().copied().unwrap_or_default();
            let mut matched = None;
            if node.kind() == NodeKind::Element {
                let key = (node.parent().map(|parent| parent.id()), node.name_id());
                let mut count = || *counts.entry(key).and_modify(|count| *count += 1).or_insert(1);
                let position = if has_positions { count() } else { 0 };
                let (parent, ancestors) = (own, any);
                own = 0;
                for (index, compound) in self.compounds.iter().enumerate() {
                    let before = match compound.relation {
                        None => u64::MAX,
                        Some(Relation::Parent) => parent << 1,
                        Some(Relation::Ancestor) => ancestors << 1,
                    };
                    if before >> index & 1 == 1
                        && compound.tests.iter().all(|test| test.holds(node, position))
                    {
                        own |= 1 << index;
                        matched = matched.or(compound.is_last.then_some(index));
                    }
                }
                any |= own;
                is_inside |= matched.is_some();
            }
            let attribute = matched.and_then(|index: usize| self.compounds[index].attribute.as_deref());
            on_node(Visit { node, is_match: matched.is_some(), is_inside, attribute });
            open.push((own, any, is_inside));
        }
    }
}

impl Test {
    fn holds(&self, node: NodeRef<'_>, position: u32) -> bool {
        match self {
            Test::Type(name) => node.name().is_some_and(|own| own.eq_ignore_ascii_case(name)),
            Test::Has(name) => node.attribute(name).is_some(),
            Test::Nth(wanted) => position == *wanted,
            Test::Not(test) => !test.holds(node, position),
            Test::Attribute(name, operator, value) => {
                node.attribute(name).is_some_and(|own| match operator {
                    '=' => own == *value,
                    // By the standard, the substring operators never match an empty value.
                    _ if value.is_empty() => false,
                    '~' => own.split_ascii_whitespace().any(|word| word == value),
                    '^' => own.starts_with(value.as_str()),
                    '$' => own.ends_with(value.as_str()),
                    _ => own.contains(value.as_str()),
                })
            }
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Selector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Selector, SelectorError> {
        let mut parser = Parser { text, at: 0 };
        let (mut compounds, mut relation) = (Vec::new(), None);
        loop {
            parser.eat_space();
            if compounds.len() == MAX_COMPOUNDS {
                return parser.fail("the selector has more than 64 parts: split it");
            }
            let mut compound = parser.compound()?;
            compound.relation = relation;
            let has_space = parser.eat_space();
            let next = parser.peek();
            relation = match next {
                None | Some(',') => None,
                Some('>') => Some(Relation::Parent),
                Some('+' | '~') => return parser.fail("siblings (+ and ~) are not supported"),
                Some(_) if has_space => Some(Relation::Ancestor),
                Some(_) => return parser.fail("unexpected character"),
            };
            compound.is_last = relation.is_none();
            if compound.attribute.is_some() && !compound.is_last {
                return parser.fail("::attr() stands at the end");
            }
            compounds.push(compound);
            parser.at += usize::from(matches!(next, Some(',' | '>')));
            if next.is_none() {
                return Ok(Selector { text: text.trim().to_owned(), compounds });
            }
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parser<'t> {
    fn fail<T>(&self, problem: &'static str) -> Result<T, SelectorError> {
        Err(SelectorError { position: self.at, problem })
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, wanted: &str) -> bool {
        let is_there = self.text[self.at..].starts_with(wanted);
        self.at += if is_there { wanted.len() } else { 0 };
        is_there
    }

    fn eat_space(&mut self) -> bool {
        let rest = &self.text[self.at..];
        self.at = self.text.len() - rest.trim_start().len();
        rest.starts_with(char::is_whitespace)
    }

    fn expect(&mut self, wanted: &str, problem: &'static str) -> Result<(), SelectorError> {
        if self.eat(wanted) { Ok(()) } else { self.fail(problem) }
    }

    fn name(&mut self) -> Result<&'t str, SelectorError> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && !"-_".contains(c));
        let name = &rest[..end.unwrap_or(rest.len())];
        if name.is_empty() {
            return self.fail("a name is missing");
        }
        self.at += name.len();
        Ok(name)
    }

    fn compound(&mut self) -> Result<Compound, SelectorError> {
        let mut compound = Compound::default();
        let start = self.at;
        if !self.eat("*") && !self.peek().is_none_or(|c| ".#[:".contains(c)) {
            compound.tests.push(Test::Type(self.name()?.to_owned()));
        }
        loop {
            if self.eat(":not(") {
                self.eat_space();
                let test = match self.test()? {
                    Some(test) => test,
                    None => Test::Type(self.name()?.to_owned()),
                };
                self.eat_space();
                self.expect(")", ":not() takes one type, class, id or attribute")?;
                compound.tests.push(Test::Not(Box::new(test)));
            } else if self.eat("::attr(") {
                compound.attribute = Some(self.name()?.to_ascii_lowercase());
                self.expect(")", "a closing ) is missing")?;
            } else if let Some(test) = self.test()? {
                compound.tests.push(test);
            } else {
                break;
            }
        }
        if self.at == start { self.fail("a selector is missing") } else { Ok(compound) }
    }

    /// Parses a class, id, attribute or position, if there is one.
    fn test(&mut self) -> Result<Option<Test>, SelectorError> {
        let start = self.at;
        Ok(Some(if self.eat(".") {
            Test::Attribute("class".to_owned(), '~', self.name()?.to_owned())
        } else if self.eat("#") {
            Test::Attribute("id".to_owned(), '=', self.name()?.to_owned())
        } else if self.eat("[") {
            self.attribute()?
        } else if self.eat(":first-of-type") {
            Test::Nth(1)
        } else if self.eat(":nth-of-type(") {
            let number = self.text[self.at..].split(')').next().and_then(|number| number.trim().parse().ok());
            let Some(number) = number.filter(|number| *number > 0) else {
                return self.fail("only a number of at least 1 is supported");
            };
            self.at += self.text[self.at..].find(')').unwrap_or_default();
            self.expect(")", "a closing ) is missing")?;
            Test::Nth(number)
        } else if self.text[start..].starts_with(':') {
            return self.fail("only :not(), :first-of-type, :nth-of-type() and ::attr() are supported");
        } else {
            return Ok(None);
        }))
    }

    /// Parses an attribute test after `[`.
    fn attribute(&mut self) -> Result<Test, SelectorError> {
        self.eat_space();
        let name = self.name()?.to_ascii_lowercase();
        self.eat_space();
        if self.eat("]") {
            return Ok(Test::Has(name));
        }
        let operator = self.peek().filter(|c| "~^$*".contains(*c)).unwrap_or('=');
        self.at += usize::from(operator != '=');
        self.expect("=", "expected ], =, ~=, ^=, $= or *=")?;
        self.eat_space();
        let value = match self.peek().filter(|c| "'\"".contains(*c)) {
            Some(quote) => {
                let Some((value, _)) = self.text[self.at + 1..].split_once(quote) else {
                    return self.fail("the quotation mark is not closed");
                };
                self.at += value.len() + 2;
                value
            }
            None => self.name()?,
        };
        self.eat_space();
        self.expect("]", "a closing ] is missing")?;
        Ok(Test::Attribute(name, operator, value.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_match_as_in_css_or_are_errors_with_a_position() {
        let html = "<html><body><div id=a class='story wide'><p>one<p class=ad>two<p lang=en>three</div>\
            <div id=b class=story-box data-kind='x y'><section><p>four</p><b>five</b></section></div>";
        let dom = crate::parse(html);
        let found = |selector: &str| match selector.parse::<Selector>() {
            Err(error) => format!("error {}", error.position),
            Ok(selector) => {
                let nodes = selector.select(&dom).into_iter().filter_map(|id| dom.node(id));
                let name =
                    |node: NodeRef<'_>| node.attribute("id").map_or_else(|| node.text_content(), Into::into);
                nodes.map(name).collect::<Vec<_>>().join(" ")
            }
        };
        for line in include_str!("../tests/selectors.tsv").lines().skip(1) {
            let (selector, expected) = line.split_once('\t').unwrap();
            assert_eq!(found(selector), expected, "{selector}");
        }
        for (part, expected) in [(":not(", "error 5"), ("div ", "error 256"), ("[", "error 1")] {
            assert_eq!(found(&part.repeat(10_000)), expected);
        }
        let deep = "<div class=a>".repeat(20_000) + "<p>deep";
        assert_eq!(".a .a .a p".parse::<Selector>().unwrap().select(&crate::parse(&deep)).len(), 1);
    }
}

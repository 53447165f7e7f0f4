//! html5ever's tree, for comparison and benchmarks.
//!
//! To be fair to html5ever, its tree is built in an arena with the same content as ours: nodes in one vector, linked by
//! index, texts as html5ever's tendrils (which share the input), attributes moved without copying.

// The tests and benchmarks that share this file use different parts of it.
#![allow(dead_code)]

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

use html5ever::driver::parse_fragment_for_element;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tokenizer::TokenizerOpts;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, LocalName, ParseOpts, QualName, ns, parse_document};

/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// The kind and content of a node.
pub(crate) enum Data {
    Document,
    Fragment,
    Doctype { name: StrTendril, public_id: StrTendril, system_id: StrTendril },
    Element { name: QualName, attributes: Vec<Attribute>, content: u32, html_inside: bool },
    Text(StrTendril),
    Comment(StrTendril),
}

/// A node with its links. The content of a template is in `Data::Element::content`, not among its children.
pub(crate) struct Node {
    pub(crate) parent: u32,
    pub(crate) previous: u32,
    pub(crate) next: u32,
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) data: Data,
}

/// A parsed page; node 0 is the document.
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) quirks: QuirksMode,
}

impl Tree {
    /// Parses a page.
    pub(crate) fn parse(page: &str, scripting: bool) -> Tree {
        parse_document(Sink::new(page.len()), options(scripting)).one(StrTendril::from_slice(page))
    }

    /// Parses the content of an element; the context is written as for `tamis_html::Parser::parse_fragment`. The
    /// nodes are the children of the `html` element below the document.
    pub(crate) fn parse_fragment(fragment: &str, context: &str, scripting: bool) -> Tree {
        let (namespace, name) = match context.split_once(' ') {
            Some(("svg", name)) => (ns!(svg), name),
            Some(("math", name)) => (ns!(mathml), name),
            _ => (ns!(html), context),
        };
        let name = QualName::new(None, namespace, LocalName::from(name));
        let sink = Sink::new(fragment.len());
        let element = sink.create_element(name, Vec::new(), ElementFlags::default());
        // The enclosing form of the fragment, which html5ever needs.
        let form = (context == "form").then_some(element);
        parse_fragment_for_element(sink, options(scripting), element, scripting, form)
            .one(StrTendril::from_slice(fragment))
    }

    pub(crate) fn node(&self, id: u32) -> &Node {
        &self.nodes[id as usize]
    }

    /// The first child, or of a template its content.
    pub(crate) fn below(&self, id: u32) -> u32 {
        let node = self.node(id);
        match node.data {
            Data::Element { content, .. } if content != NONE => content,
            _ => node.first,
        }
    }
}

fn options(scripting: bool) -> ParseOpts {
    ParseOpts {
        // As in our parser, byte order marks are left to the decoder.
        tokenizer: TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() },
        tree_builder: TreeBuilderOpts { scripting_enabled: scripting, ..TreeBuilderOpts::default() },
    }
}

/// Receives the tree from html5ever.
struct Sink {
    nodes: RefCell<Vec<Node>>,
    quirks: Cell<QuirksMode>,
}

impl Sink {
    fn new(bytes: usize) -> Sink {
        // The same initial capacity as in our parser.
        let mut nodes = Vec::with_capacity(bytes / 48 + 16);
        nodes.push(node(Data::Document));
        Sink { nodes: RefCell::new(nodes), quirks: Cell::new(QuirksMode::NoQuirks) }
    }

    fn add(&self, data: Data) -> u32 {
        let mut nodes = self.nodes.borrow_mut();
        let id = nodes.len() as u32;
        nodes.push(node(data));
        id
    }
}

fn node(data: Data) -> Node {
    Node { parent: NONE, previous: NONE, next: NONE, first: NONE, last: NONE, data }
}

/// Adds characters to a text node; false if the node is not one.
fn extend(nodes: &mut [Node], id: u32, text: &StrTendril) -> bool {
    match nodes.get_mut(id as usize) {
        Some(Node { data: Data::Text(before), .. }) => {
            before.push_tendril(text);
            true
        }
        _ => false,
    }
}

fn detach(nodes: &mut [Node], id: u32) {
    let Node { parent, previous, next, .. } = nodes[id as usize];
    if parent == NONE {
        return;
    }
    match previous {
        NONE => nodes[parent as usize].first = next,
        previous => nodes[previous as usize].next = next,
    }
    match next {
        NONE => nodes[parent as usize].last = previous,
        next => nodes[next as usize].previous = previous,
    }
    let node = &mut nodes[id as usize];
    (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
}

fn append_node(nodes: &mut [Node], parent: u32, child: u32) {
    let last = nodes[parent as usize].last;
    nodes[child as usize].parent = parent;
    nodes[child as usize].previous = last;
    nodes[parent as usize].last = child;
    match last {
        NONE => nodes[parent as usize].first = child,
        last => nodes[last as usize].next = child,
    }
}

impl TreeSink for Sink {
    type Handle = u32;
    type Output = Tree;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Tree {
        Tree { nodes: self.nodes.into_inner(), quirks: self.quirks.get() }
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> u32 {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a u32) -> Ref<'a, QualName> {
        Ref::map(self.nodes.borrow(), |nodes| match &nodes[*target as usize].data {
            Data::Element { name, .. } => name,
            _ => panic!("html5ever asks for the name of a node that has none"),
        })
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> u32 {
        let content = if flags.template { self.add(Data::Fragment) } else { NONE };
        let html_inside = flags.mathml_annotation_xml_integration_point;
        self.add(Data::Element { name, attributes, content, html_inside })
    }

    fn create_comment(&self, text: StrTendril) -> u32 {
        self.add(Data::Comment(text))
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> u32 {
        panic!("HTML has no processing instructions")
    }

    fn append(&self, &parent: &u32, child: NodeOrText<u32>) {
        let mut nodes = self.nodes.borrow_mut();
        let child = match child {
            NodeOrText::AppendNode(child) => child,
            NodeOrText::AppendText(text) => {
                let last = nodes[parent as usize].last;
                if extend(&mut nodes, last, &text) {
                    return;
                }
                nodes.push(node(Data::Text(text)));
                nodes.len() as u32 - 1
            }
        };
        append_node(&mut nodes, parent, child);
    }

    fn append_based_on_parent_node(&self, element: &u32, before_it: &u32, child: NodeOrText<u32>) {
        if self.nodes.borrow()[*element as usize].parent == NONE {
            self.append(before_it, child);
        } else {
            self.append_before_sibling(element, child);
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public_id: StrTendril, system_id: StrTendril) {
        let doctype = self.add(Data::Doctype { name, public_id, system_id });
        append_node(&mut self.nodes.borrow_mut(), 0, doctype);
    }

    fn get_template_contents(&self, target: &u32) -> u32 {
        match self.nodes.borrow()[*target as usize].data {
            Data::Element { content, .. } if content != NONE => content,
            _ => panic!("html5ever asks for the content of an element that is no template"),
        }
    }

    fn same_node(&self, one: &u32, other: &u32) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.quirks.set(mode);
    }

    fn append_before_sibling(&self, &sibling: &u32, child: NodeOrText<u32>) {
        let mut nodes = self.nodes.borrow_mut();
        let child = match child {
            NodeOrText::AppendNode(child) => {
                detach(&mut nodes, child);
                child
            }
            NodeOrText::AppendText(text) => {
                let previous = nodes[sibling as usize].previous;
                if extend(&mut nodes, previous, &text) {
                    return;
                }
                nodes.push(node(Data::Text(text)));
                nodes.len() as u32 - 1
            }
        };
        let Node { parent, previous, .. } = nodes[sibling as usize];
        let inserted = &mut nodes[child as usize];
        (inserted.parent, inserted.previous, inserted.next) = (parent, previous, sibling);
        nodes[sibling as usize].previous = child;
        match previous {
            NONE => nodes[parent as usize].first = child,
            previous => nodes[previous as usize].next = child,
        }
    }

    fn add_attrs_if_missing(&self, target: &u32, new: Vec<Attribute>) {
        if let Data::Element { attributes, .. } = &mut self.nodes.borrow_mut()[*target as usize].data {
            for attribute in new {
                if !attributes.iter().any(|old| old.name == attribute.name) {
                    attributes.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &u32) {
        detach(&mut self.nodes.borrow_mut(), *target);
    }

    fn reparent_children(&self, &from: &u32, &to: &u32) {
        let mut nodes = self.nodes.borrow_mut();
        let mut child = nodes[from as usize].first;
        (nodes[from as usize].first, nodes[from as usize].last) = (NONE, NONE);
        while child != NONE {
            let next = nodes[child as usize].next;
            nodes[child as usize].next = NONE;
            append_node(&mut nodes, to, child);
            child = next;
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &u32) -> bool {
        matches!(self.nodes.borrow()[*target as usize].data, Data::Element { html_inside: true, .. })
    }
}

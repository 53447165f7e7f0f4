//! `tamis tree`, run as a user runs it.

use std::io::Read;
use std::process::Stdio;

use crate::run::{Folder, Run, tamis};

impl Run {
    /// The value of one line of `--stats`.
    fn stat(&self, name: &str) -> &str {
        let value = self.out.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.unwrap_or_else(|| panic!("no line {name} in:\n{}", self.out)).trim_start()
    }

    /// Likewise, where it is a number.
    fn number(&self, name: &str) -> usize {
        self.stat(name).parse().unwrap()
    }
}

#[test]
fn the_tree_of_a_page_is_printed() {
    let page = "<p id=x>one &amp; two<!--c-->";
    let tree = "| <html>\n|   <head>\n|   <body>\n|     <p>\n|       id=\"x\"\n|       \"one & two\"\n|       <!-- c -->\n";
    let title = "| <!DOCTYPE html>\n| <html>\n|   <head>\n|     <title>\n|       \"T\"\n|   <body>\n";
    for (line, page, tree) in [
        ("tree", page, tree),
        ("tree -", page, tree),
        ("tree", "<!doctype html><title>T</title>", title),
        ("tree", "", "| <html>\n|   <head>\n|   <body>\n"),
        ("tree --fragment div", "", ""),
        ("tree --fragment tr", "<td>one<td>two", "| <td>\n|   \"one\"\n| <td>\n|   \"two\"\n"),
        // Inside a cell there is no row, so there are no further cells.
        ("tree --fragment td", "<td>one<td>two", "| \"onetwo\"\n"),
        ("tree --fragment 'svg desc'", "<foreignObject>", "| <foreignobject>\n"),
    ] {
        let run = tamis(line, page).succeeds();
        assert_eq!((run.out.as_str(), run.err.as_str()), (tree, ""), "{line} {page}");
    }
    let noscript = "<body><noscript><p>x</noscript>";
    tamis("tree", noscript).prints("<p>\n");
    tamis("tree --scripting", noscript).prints("\"<p>x\"");
}

#[test]
fn mistakes_are_named_with_a_remedy() {
    let missing = tamis("tree no-such-page.html", "").fails("check the path");
    assert!(missing.err.starts_with("tamis: cannot read no-such-page.html: "), "{missing:?}");
    tamis("tree crates", "").fails("crates is a directory: name a file in it");
    tamis("tree --encoding utf-9", "<p>").fails("utf-9");
    tamis("tree --fragment <td>", "").fails("'<td>'");
}

#[test]
fn an_encoding_that_is_asked_for_wins() {
    let page = b"<meta charset=utf-8><p>\xD6\xD0\xCE\xC4";
    tamis("tree --encoding gbk", page).prints("\"中文\"");
    let run = tamis("tree --encoding gbk --stats", page);
    assert_eq!((run.stat("encoding"), run.stat("replaced")), ("GBK (as asked)", "no"));
}

#[test]
fn bytes_that_are_no_page_have_a_tree() {
    // Every byte and every pair of a byte with its mirror image, many times over.
    let rubbish: Vec<u8> = (0..200_000u32).map(|i| (i * 167 % 256) as u8 ^ (i >> 8) as u8).collect();
    for line in ["tree", "tree --stats", "tree --encoding utf-8"] {
        assert!(!tamis(line, &rubbish).succeeds().out.is_empty(), "{line}");
    }
    assert_eq!(tamis("tree --encoding utf-8 --stats", b"<p>\xFF").stat("replaced"), "yes");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = Folder::new();
    folder.write("page.html", "<p>a paragraph".repeat(100_000));
    let mut command = folder.command("tree page.html");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut start = [0; 8];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut start).unwrap();
    drop(out);
    let done = child.wait_with_output().unwrap();
    assert_eq!(&start, b"| <html>");
    assert_eq!((done.status.code(), &*done.stderr), (Some(0), &b""[..]));
}

#[test]
fn a_deep_page_is_bounded_and_says_so() {
    let page = "<div>".repeat(50_000);
    let run = tamis("tree --stats", &page).succeeds();
    // The element that meets the limit is still one of them.
    assert!(run.number("depth") <= 512);
    assert_eq!(run.number("elements"), 50_003);
    assert!(run.stat("limit").contains("--max-depth"), "{}", run.out);
    tamis("tree", &page).succeeds().says("warning: standard input: more than 512 nested elements");
    let run = tamis("tree --stats --max-depth 60000", &page);
    assert_eq!((run.number("depth"), run.stat("limit")), (50_002, "none"));
}

#[test]
fn a_huge_attribute_stays_whole() {
    let value = "v".repeat(8 << 20);
    let run = tamis("tree", format!("<p title='{value}'>")).succeeds();
    assert!(run.out.contains(&format!("title=\"{value}\"")));
}

#[test]
fn stats_count_what_is_there() {
    let run = tamis("tree --stats", "<!doctype html><meta charset=utf-8><p>é<!--c--><b>two</b>").succeeds();
    assert_eq!(
        run.out,
        "bytes     58\nencoding  UTF-8 (meta)\nreplaced  no\nnodes     11\nelements  6\ntexts     2\ncomments  1\n\
         depth     4\nlimit     none\n"
    );
}

#[test]
fn limits_are_flags() {
    tamis("tree --max-bytes 10", "<p>more than ten bytes")
        .fails("standard input has more than 10 bytes: raise --max-bytes");
    tamis("tree --max-bytes 10", "<p>and ten").succeeds();
    let run = tamis("tree --stats --max-nodes 100", "<br>".repeat(1000));
    assert!(run.number("nodes") <= 100);
    assert!(run.stat("limit").contains("--max-nodes"), "{}", run.out);
    let run = tamis("tree --max-attributes 2", "<p a b c>").says("--max-attributes");
    run.prints("b=\"\"").does_not_print("c=\"\"");
}

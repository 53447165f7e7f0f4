//! `tamis tree`, run as a user runs it.

use std::io::Read;
use std::process::Stdio;

use crate::run::{self, Folder, tamis};

#[test]
fn a_page_from_standard_input() {
    let run = tamis(&["tree"], "<p id=x>one &amp; two<!--c-->");
    assert_eq!(run.code, 0);
    assert_eq!(
        run.out,
        "| <html>\n|   <head>\n|   <body>\n|     <p>\n|       id=\"x\"\n|       \"one & two\"\n|       <!-- c -->\n"
    );
    assert_eq!(run.err, "");
    assert_eq!(tamis(&["tree", "-"], "<p id=x>one &amp; two<!--c-->"), run);
}

#[test]
fn a_page_from_a_file() {
    let folder = Folder::new();
    let page = folder.write("page.html", "<!doctype html><title>T</title>");
    let run = tamis(&["tree", &page], "");
    assert_eq!(run.code, 0);
    assert_eq!(
        run.out,
        "| <!DOCTYPE html>\n| <html>\n|   <head>\n|     <title>\n|       \"T\"\n|   <body>\n"
    );
}

#[test]
fn a_missing_file_is_named_with_a_remedy() {
    let run = tamis(&["tree", "no-such-page.html"], "");
    assert_eq!(run.code, 2);
    assert_eq!(run.out, "");
    assert!(run.err.starts_with("tamis: cannot read no-such-page.html: "), "{}", run.err);
    assert!(run.err.contains("check the path"), "{}", run.err);
}

#[test]
fn a_directory_is_not_a_page() {
    let run = tamis(&["tree", env!("CARGO_MANIFEST_DIR")], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("tamis-cli is a directory: name a file in it"), "{}", run.err);
}

#[test]
fn an_unknown_encoding_is_named() {
    let run = tamis(&["tree", "--encoding", "utf-9"], "<p>");
    assert_eq!(run.code, 2);
    assert_eq!(run.out, "");
    assert!(run.err.contains("utf-9"), "{}", run.err);
}

#[test]
fn an_encoding_that_is_asked_for_wins() {
    let page = b"<meta charset=utf-8><p>\xD6\xD0\xCE\xC4";
    let run = tamis(&["tree", "--encoding", "gbk"], page);
    assert!(run.out.contains("\"中文\""), "{}", run.out);
    let run = tamis(&["tree", "--encoding", "gbk", "--stats"], page);
    assert_eq!(run.stat("encoding"), "GBK (as asked)");
    assert_eq!(run.stat("replaced"), "no");
}

#[test]
fn an_empty_page_has_a_tree() {
    let run = tamis(&["tree"], "");
    assert_eq!((run.code, run.out.as_str()), (0, "| <html>\n|   <head>\n|   <body>\n"));
    let run = tamis(&["tree", "--fragment", "div"], "");
    assert_eq!((run.code, run.out.as_str()), (0, ""));
}

#[test]
fn bytes_that_are_no_page_have_a_tree() {
    // Every byte and every pair of a byte with its mirror image, many times over.
    let rubbish: Vec<u8> = (0..200_000u32).map(|i| (i * 167 % 256) as u8 ^ (i >> 8) as u8).collect();
    for flags in [&["tree"][..], &["tree", "--stats"], &["tree", "--encoding", "utf-8"]] {
        let run = tamis(flags, &rubbish);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(!run.out.is_empty());
    }
    let run = tamis(&["tree", "--encoding", "utf-8", "--stats"], b"<p>\xFF");
    assert_eq!(run.stat("replaced"), "yes");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = Folder::new();
    let page = folder.write("page.html", "<p>a paragraph".repeat(100_000));
    let mut child =
        run::command(&["tree", &page]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut start = [0; 8];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut start).unwrap();
    drop(out);
    let done = child.wait_with_output().unwrap();
    assert_eq!(&start, b"| <html>");
    assert_eq!(done.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&done.stderr), "");
}

#[test]
fn a_deep_page_is_bounded_and_says_so() {
    let page = "<div>".repeat(50_000);
    let run = tamis(&["tree", "--stats"], &page);
    assert_eq!(run.code, 0);
    // The element that meets the limit is still one of them.
    assert!(run.number("depth") <= 512);
    assert_eq!(run.number("elements"), 50_003);
    assert!(run.stat("limit").contains("--max-depth"), "{}", run.out);

    let run = tamis(&["tree"], &page);
    assert_eq!(run.code, 0);
    assert!(run.err.contains("warning: standard input: more than 512 nested elements"), "{}", run.err);

    let run = tamis(&["tree", "--stats", "--max-depth", "60000"], &page);
    assert_eq!(run.number("depth"), 50_002);
    assert_eq!(run.stat("limit"), "none");
}

#[test]
fn a_huge_attribute_stays_whole() {
    let value = "v".repeat(8 << 20);
    let run = tamis(&["tree"], format!("<p title='{value}'>"));
    assert_eq!(run.code, 0);
    assert!(run.out.contains(&format!("title=\"{value}\"")));
}

#[test]
fn fragments_are_parsed_in_their_context() {
    let run = tamis(&["tree", "--fragment", "tr"], "<td>one<td>two");
    assert_eq!(run.out, "| <td>\n|   \"one\"\n| <td>\n|   \"two\"\n");
    // Inside a cell there is no row, so there are no further cells.
    let run = tamis(&["tree", "--fragment", "td"], "<td>one<td>two");
    assert_eq!(run.out, "| \"onetwo\"\n");
    let run = tamis(&["tree", "--fragment", "svg desc"], "<foreignObject>");
    assert_eq!(run.out, "| <foreignobject>\n");
    let run = tamis(&["tree", "--fragment", "<td>"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("'<td>'"), "{}", run.err);
}

#[test]
fn scripting_makes_noscript_text() {
    let page = "<body><noscript><p>x</noscript>";
    assert!(tamis(&["tree"], page).out.contains("<p>\n"));
    assert!(tamis(&["tree", "--scripting"], page).out.contains("\"<p>x\""));
}

#[test]
fn stats_count_what_is_there() {
    let run = tamis(&["tree", "--stats"], "<!doctype html><meta charset=utf-8><p>é<!--c--><b>two</b>");
    assert_eq!(run.code, 0);
    assert_eq!(
        run.out,
        "bytes     58\nencoding  UTF-8 (meta)\nreplaced  no\nnodes     11\nelements  6\ntexts     2\ncomments  1\n\
         depth     4\nlimit     none\n"
    );
}

#[test]
fn limits_are_flags() {
    let run = tamis(&["tree", "--max-bytes", "10"], "<p>more than ten bytes");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("standard input has more than 10 bytes: raise --max-bytes"), "{}", run.err);
    assert_eq!(tamis(&["tree", "--max-bytes", "10"], "<p>and ten").code, 0);

    let run = tamis(&["tree", "--stats", "--max-nodes", "100"], "<br>".repeat(1000));
    assert!(run.number("nodes") <= 100);
    assert!(run.stat("limit").contains("--max-nodes"), "{}", run.out);

    let run = tamis(&["tree", "--max-attributes", "2"], "<p a b c>");
    assert!(run.out.contains("b=\"\"") && !run.out.contains("c=\"\""), "{}", run.out);
    assert!(run.err.contains("--max-attributes"), "{}", run.err);
}

#[test]
fn help_is_short_or_long_as_asked() {
    let short = tamis(&["tree", "-h"], "");
    let long = tamis(&["tree", "--help"], "");
    assert_eq!((short.code, long.code), (0, 0));
    assert!(short.out.contains("--fragment <CONTEXT>"));
    assert!(short.out.contains("[default: 512]"));
    assert!(long.out.len() > short.out.len());
    assert_eq!(tamis(&["tree", "--no-such-flag"], "").code, 2);
    assert_eq!(tamis(&["no-such-command"], "").code, 2);
}

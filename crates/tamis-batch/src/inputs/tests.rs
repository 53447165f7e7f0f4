use super::*;

#[test]
fn a_file_that_has_changed_is_noticed() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let page = folder.join("a.html");
    fs::write(&page, "<p>one").unwrap();
    let inputs = Inputs::new(&[folder.display().to_string()]).unwrap();
    let before = inputs.files();
    assert_eq!(before, inputs.files());
    fs::write(&page, "<p>another").unwrap();
    assert_ne!(before, inputs.files());
}

#[test]
fn names_say_what_a_file_holds() {
    for (name, expected) in [
        ("a.HTML", Some((Kind::Page, Packing::Plain))),
        ("a.html.gz", Some((Kind::Page, Packing::Gzip))),
        ("a.mht", Some((Kind::Page, Packing::Plain))),
        ("CC-MAIN-1.warc.gz", Some((Kind::Warc, Packing::Gzip))),
        ("x.jsonl.zst", Some((Kind::Jsonl, Packing::Zstd))),
        ("x.parquet", Some((Kind::Parquet, Packing::Plain))),
        ("x.png", None),
        ("x.gz", None),
    ] {
        assert_eq!(kind(Path::new(name)), expected, "{name}");
    }
}

#[test]
fn directories_are_walked_in_the_order_of_names() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    fs::create_dir_all(folder.join("b/c")).unwrap();
    for file in ["d.html", "b/c/x.html", "b/a.html", "a.html", "notes.txt"] {
        fs::write(folder.join(file), "<p>x").unwrap();
    }
    let names = |names: &[String]| -> Vec<String> {
        let steps = Inputs::new(names).unwrap().walk();
        steps.map(|step| if let Step::Source(source) = step { source.name } else { "other".into() }).collect()
    };
    let all = folder.display().to_string();
    assert_eq!(names(std::slice::from_ref(&all)), ["a.html", "b/a.html", "b/c/x.html", "d.html", "other"]);
    let pattern = format!("{all}/*.*");
    assert_eq!(
        names(&[pattern, format!("{all}/b")]),
        ["a.html", "d.html", "notes.txt", "b/a.html", "b/c/x.html"]
    );
    assert_eq!(names(&[format!("{all}/**/a.html")]), ["a.html", "b/a.html"]);
}

#[cfg(unix)]
#[test]
fn links_led_round_in_circles() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    fs::create_dir_all(folder.join("a")).unwrap();
    fs::create_dir_all(folder.join("b")).unwrap();
    fs::write(folder.join("b/x.html"), "<p>x").unwrap();
    for (to, at) in [("b", "a/to-b"), ("a", "b/to-a"), (".", "b/up")] {
        std::os::unix::fs::symlink(folder.join(to), folder.join(at)).unwrap();
    }
    let steps = Inputs::new(&[folder.display().to_string()]).unwrap().walk();
    let (pages, others): (Vec<Step>, Vec<Step>) = steps.partition(|step| matches!(step, Step::Source(_)));
    assert_eq!(pages.len(), 2, "b/x.html by itself and through a/to-b");
    assert!(others.iter().all(|step| matches!(step, Step::Failed(_, why) if why.contains("not followed"))));
}

//! Makes a set of documentation pages: `documentation_set PACKAGES SET`.
//!
//! The evaluation sets have few pages of documentation. Debian packages have many, and their generators mark the main
//! text: `data/documentation.tsv` has the selectors. Packages that are not unpacked in the folder PACKAGES are fetched
//! with `apt-get download`. The site of a page is its generator, so that training holds out generators as a whole.

#![allow(clippy::print_stdout, missing_docs)]

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;
use tamis::page::{NONE, Page};
use tamis_html::decode::decode;
use tamis_html::{Name, NodeId, Selector};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Bytes of a page: shorter ones say little, longer ones would outweigh the others.
const BYTES: std::ops::RangeInclusive<u64> = 4_000..=250_000;
const MIN_WORDS: u32 = 120;
/// Pages of which more is linked are indexes.
const MAX_LINKED: f32 = 0.5;
/// Texts of links from a heading to itself.
const PERMALINKS: [char; 4] = ['¶', '#', '\u{f0c1}', ' '];

fn main() -> Result<()> {
    let arguments: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let [packages, set] = arguments.as_slice() else {
        return Err("usage: documentation_set PACKAGES SET".into());
    };
    fs::create_dir_all(set.join("pages"))?;
    let mut rows = String::new();
    let lines = include_str!("../data/documentation.tsv").lines().filter(|line| !line.starts_with('#'));
    for line in lines {
        let [generator, package, files, main, rest, count] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("not six fields: {line}").into());
        };
        let folder = unpacked(packages, package)?;
        let main: Selector = main.parse()?;
        let rest: Option<Selector> = (!rest.is_empty()).then(|| rest.parse()).transpose()?;
        let files = long_half(matching(&folder, files)?);
        let (count, mut taken): (usize, usize) = (count.parse()?, 0);
        let mut last = None;
        for (index, file) in files.iter().enumerate() {
            // Evenly: the next page is due once its share of the files has passed.
            if taken == count || index * count < taken * files.len() {
                continue;
            }
            let bytes = fs::read(file)?;
            let source = decode(&bytes, None).text;
            let page = Page::parse(&source);
            let Some((title, text, kinds)) = truth(&page, &main, rest.as_ref()) else { continue };
            if last.as_ref() == Some(&title) {
                continue;
            }
            let name = file.strip_prefix(&folder)?.with_extension("").to_string_lossy().replace('/', "_");
            let id = format!("{package}_{}", name.replace("usr_share_", ""));
            fs::write(set.join("pages").join(format!("{id}.html")), &bytes)?;
            let row = json!({
                "id": id, "site": generator, "title": title, "text": text, "kinds": kinds,
                "page_type": "other", "subtype": "documentation",
            });
            rows += &format!("{row}\n");
            taken += 1;
            last = Some(title);
        }
        println!("{generator}\t{package}\t{taken} of {count}");
    }
    Ok(fs::write(set.join("truth.jsonl"), rows)?)
}

/// The folder of an unpacked package.
fn unpacked(packages: &Path, package: &str) -> Result<PathBuf> {
    let folder = packages.join(package);
    if !folder.is_dir() {
        let fetched = packages.join("fetched").join(package);
        fs::create_dir_all(&fetched)?;
        run(Command::new("apt-get").args(["--quiet", "download", package]).current_dir(&fetched))?;
        let file = fs::read_dir(&fetched)?.next().ok_or("apt-get fetched nothing")??.path();
        run(Command::new("dpkg-deb").arg("-x").arg(file).arg(&folder))?;
    }
    Ok(folder)
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}

/// The files that match a pattern, in which `*` stands for any part of a name.
fn matching(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>> {
    let mut found = vec![folder.to_owned()];
    for part in pattern.split('/') {
        let Some((start, end)) = part.split_once('*') else {
            found.iter_mut().for_each(|path| path.push(part));
            continue;
        };
        let mut next = Vec::new();
        for folder in found.iter().filter(|path| path.is_dir()) {
            for entry in fs::read_dir(folder)? {
                let name = entry?.file_name().to_string_lossy().into_owned();
                if name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end) {
                    next.push(folder.join(name));
                }
            }
        }
        found = next;
    }
    found.sort();
    Ok(found)
}

/// The longer half of the files, by length: reference pages are long, and stubs teach nothing.
fn long_half(files: Vec<PathBuf>) -> Vec<PathBuf> {
    let sized = files.into_iter().filter_map(|file| Some((fs::metadata(&file).ok()?.len(), file)));
    let mut sized: Vec<(u64, PathBuf)> = sized.filter(|(size, _)| BYTES.contains(size)).collect();
    sized.sort();
    let half = sized.len() / 2;
    sized.into_iter().skip(half).map(|(_, file)| file).collect()
}

/// The headline, the rest of the main text, and a letter per line of it; none if a page says too little.
fn truth(page: &Page<'_>, main: &Selector, rest: Option<&Selector>) -> Option<(String, String, String)> {
    let inside = |selector: &Selector| {
        let mut nodes = HashSet::new();
        selector.visit(&page.dom, None, |visit| nodes.extend(visit.is_inside.then(|| visit.node.id())));
        nodes
    };
    let (main, rest) = (inside(main), rest.map(inside).unwrap_or_default());
    let is_main = |node: &NodeId| main.contains(node) && !rest.contains(node);
    let (blocks, elements) = (&page.blocks, &page.elements);
    let mut lines: Vec<usize> = (0..blocks.len()).collect();
    lines.retain(|block| blocks.text_nodes(*block).first().is_some_and(is_main));
    let text = |block: &usize| blocks.text(*block).trim_end_matches(PERMALINKS);
    let is_headline = |block: &usize| {
        let level = elements.name[blocks.element[*block] as usize].heading_level();
        level.is_some_and(|level| level == 1 || page.head.title.contains(text(block)))
    };
    let headline = lines.iter().take(2).position(is_headline).map(|place| lines.remove(place));
    let title = headline.as_ref().map_or(page.head.title.as_str(), text);
    let (words, all, linked) = lines.iter().fold((0, 0, 0), |(words, all, linked), block| {
        let counts = &blocks.counts[*block];
        (words + counts.words, all + counts.characters, linked + blocks.link_characters[*block])
    });
    if words < MIN_WORDS || linked as f32 > MAX_LINKED * all as f32 {
        return None;
    }
    let kinds = lines.iter().map(|block| kind(page, *block)).collect();
    let text: Vec<&str> = lines.iter().map(|block| blocks.text(*block)).collect();
    Some((title.to_owned(), text.join("\n"), kinds))
}

/// The kind of a line, by the nearest element that tells.
fn kind(page: &Page<'_>, block: usize) -> char {
    let elements = &page.elements;
    let mut row = page.blocks.element[block];
    while row != NONE {
        let name = elements.name[row as usize];
        match name {
            _ if name.heading_level().is_some() => return 'h',
            Name::PRE => return 'c',
            Name::LI => return 'l',
            Name::DD | Name::DT => return 'd',
            Name::TD | Name::TH => return 't',
            Name::P => return 'p',
            _ => row = elements.parent[row as usize],
        }
    }
    'o'
}

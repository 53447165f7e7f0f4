//! Where a picture is, and whether it is one: pages have trackers, icons and placeholders in the same element.

use std::borrow::Cow;
use std::sync::LazyLock;

use tamis_html::{Attribute, Name, NodeRef};

use crate::document::is_safe_url;
use crate::page::is_display_none;
use crate::text::hash::FastSet;

/// Pictures of this many pixels in both directions are icons.
const MAX_ORNAMENT: u32 = 48;
/// Pictures of this many pixels in one direction are trackers or lines.
const MAX_TRACKER: u32 = 2;
/// Pictures of this many pixels are shown to be looked at, whatever their role says.
const MIN_PICTURE: u32 = 200;

/// What `image-ornaments.tsv` has: words of file names, words that whole names are made of, folders, and words in the
/// addresses of trackers.
static ORNAMENTS: LazyLock<[FastSet<&str>; 4]> = LazyLock::new(|| {
    let lines = include_str!("../../../data/image-ornaments.tsv").lines();
    let entries: Vec<_> = lines.filter_map(|line| line.split_once('\t')).collect();
    ["file", "name", "folder", "tracker"]
        .map(|kind| entries.iter().filter(|(of, _)| *of == kind).map(|(_, word)| *word).collect())
});

pub(super) fn is_image(node: NodeRef<'_>) -> bool {
    node.is(Name::IMG) || node.is(Name::AMP_IMG)
}

/// A declared width or height.
fn size(node: NodeRef<'_>, name: Name) -> Option<u32> {
    let value = node.attribute_named(name)?;
    value.trim().trim_end_matches("px").parse::<f32>().ok().map(|size| size as u32)
}

fn is_large(node: NodeRef<'_>) -> bool {
    size(node, Name::WIDTH).max(size(node, Name::HEIGHT)).is_some_and(|size| size >= MIN_PICTURE)
}

/// Whether a picture is a tracker or an ornament by its own account.
pub(super) fn is_ornament(node: NodeRef<'_>) -> bool {
    let (width, height) = (size(node, Name::WIDTH), size(node, Name::HEIGHT));
    let is_at_most = |size: Option<u32>, most| size.is_some_and(|size| size <= most);
    // Some pages leave one of them at nought.
    let is_line = |size: Option<u32>| size.is_some_and(|size| (1..=MAX_TRACKER).contains(&size));
    let role = node.attribute_named(Name::ROLE).unwrap_or_default();
    let is_undisplayed = || {
        node.attribute_named(Name::STYLE).is_some_and(|style| is_display_none(&style))
            // A script shows it once it has loaded.
            && !node.attributes().any(|it| is_lazy(&it))
    };
    is_line(width)
        || is_line(height)
        || is_undisplayed()
        || (is_at_most(width, MAX_ORNAMENT) && is_at_most(height, MAX_ORNAMENT))
        || (matches!(role.trim(), "presentation" | "none") && !is_large(node))
        || (node.attribute_named(Name::ARIA_HIDDEN).is_some_and(|hidden| hidden == "true") && !is_large(node))
}

/// Where a picture is: what a script would load comes before a placeholder.
pub(super) fn source(image: NodeRef<'_>) -> Option<Cow<'_, str>> {
    let is_large = is_large(image);
    let usable = |url: &str| {
        url.contains(|c: char| c.is_alphabetic()) && is_safe_url(url) && !is_ornament_file(url, is_large)
    };
    let usable = |url| Some(trim(url)).filter(|url| usable(url));
    let is_address = |value: &str| value.contains(['/', '.']) && !value.trim().contains(' ');
    let lazy = || {
        let mut values = image.attributes().filter(is_lazy).map(|it| it.value());
        values.find_map(|value| usable(value).filter(|url| is_address(url)))
    };
    let own = || usable(image.attribute_named(Name::SRC)?);
    let from_set = |node: NodeRef<'_>| {
        let sets = node.attributes().filter(|it| it.name().ends_with("srcset")).map(|it| it.value());
        sets.into_iter().find_map(|set| usable(Cow::Owned(largest(&set)?.to_owned())))
    };
    let from_picture = || {
        let picture = image.parent().filter(|parent| parent.is(Name::PICTURE))?;
        picture.children().filter(|child| child.is(Name::SOURCE)).take(16).find_map(from_set)
    };
    // The file that a click on it opens.
    let from_link = || {
        let link = image.ancestors().take(3).find(|node| node.is(Name::A))?;
        usable(link.attribute_named(Name::HREF)?).filter(|href| is_image_file(href))
    };
    lazy().or_else(own).or_else(|| from_set(image)).or_else(from_picture).or_else(from_link)
}

/// Where scripts look for a picture: `data-src`, `data-lazy-src`, `data-original`, `nitro-lazy-src`.
fn is_lazy(attribute: &Attribute<'_>) -> bool {
    type N = Name;
    let id = attribute.name_id();
    if matches!(
        id,
        N::SRC
            | N::SRCSET
            | N::SIZES
            | N::ALT
            | N::CLASS
            | N::ID
            | N::STYLE
            | N::TITLE
            | N::WIDTH
            | N::HEIGHT
            | N::BORDER
            | N::LOADING
            | N::DECODING
    ) {
        return false;
    }
    let name = attribute.name();
    let own = name.strip_prefix("data-").unwrap_or(name);
    (own.contains("src") || (own.len() < name.len() && own.starts_with("original"))) && !own.contains("set")
}

/// The addresses of a picture, usable or not.
pub(super) fn addresses(image: NodeRef<'_>) -> impl Iterator<Item = Cow<'_, str>> {
    let attributes = image.attributes().filter(|it| it.name_id() == Name::SRC || is_lazy(it));
    attributes.map(|it| trim(it.value()))
}

fn trim(url: Cow<'_, str>) -> Cow<'_, str> {
    match url {
        Cow::Borrowed(url) => Cow::Borrowed(url.trim()),
        Cow::Owned(url) => Cow::Owned(url.trim().to_owned()),
    }
}

/// Whether a URL is that of a picture, by its name.
pub(super) fn is_image_file(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or(url).trim();
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    ["jpg", "jpeg", "png", "webp", "gif", "avif", "svg"].iter().any(|it| extension.eq_ignore_ascii_case(it))
}

/// The largest picture of a `srcset`.
fn largest(set: &str) -> Option<&str> {
    let mut best: Option<(&str, f32)> = None;
    let mut rest = set;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        let (token, behind) =
            rest.split_at(rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len()));
        let url = token.trim_end_matches(',');
        if url.is_empty() {
            break;
        }
        // A comma at the end of the URL leaves no room for a size; between sizes, no space has to follow it.
        let end = if url.len() < token.len() { 0 } else { behind.find(',').unwrap_or(behind.len()) };
        let (size, behind) = behind.split_at(end);
        let size = size.split_ascii_whitespace().next().unwrap_or_default();
        let size = size.trim_end_matches(['w', 'x', 'h']).parse().unwrap_or(1.0);
        if best.is_none_or(|(_, largest)| size > largest) {
            best = Some((url, size));
        }
        rest = behind;
    }
    best.map(|(url, _)| url)
}

/// Whether its name says that a file is an ornament, or takes the place of a picture. Names made of nothing but words such
/// as `next` are those of buttons, unless the picture is large.
fn is_ornament_file(url: &str, is_large: bool) -> bool {
    let [files, names, folders, trackers] = &*ORNAMENTS;
    let path = url.split(['?', '#']).next().unwrap_or(url).to_ascii_lowercase();
    let words = |text| str::split(text, |c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    if !is_image_file(&path) && !path.ends_with(".ico") {
        return words(&path).any(|word| trackers.contains(word));
    }
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", &path));
    let (stem, extension) = file.rsplit_once('.').unwrap_or_default();
    let is_name = |word: &str| names.contains(word.trim_end_matches(|c: char| c.is_ascii_digit()));
    let is_filler = |word: &str| word.len() == 1 || word.bytes().all(|byte| byte.is_ascii_digit());
    extension == "ico"
        || (matches!(extension, "gif" | "png" | "svg")
            && (words(stem).any(|word| files.contains(word))
                || folder.split('/').any(|folder| folders.contains(folder))
                || (!is_large
                    && words(stem).any(is_name)
                    && words(stem).all(|word| is_name(word) || is_filler(word)))))
}

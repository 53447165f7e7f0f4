//! Names of output files. A page has the same name in every command and run, and no two pages share one.

use std::path::{Component, Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::inputs::is_page_name;

/// Maximum characters of a URL in a file name.
const MAX_ADDRESS: usize = 80;

/// The common parent folder of all inputs. Output files keep the folders below it.
///
/// ```
/// use tamis_batch::CommonFolder;
///
/// let common = CommonFolder::of(["site/news".as_ref(), "site/sport".as_ref()]);
/// assert_eq!(common.name("site/news/rain.html".as_ref()), "news/rain.html");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommonFolder(PathBuf);

impl CommonFolder {
    /// The common parent of input directories and of the folders of input files.
    pub fn of<'p>(folders: impl IntoIterator<Item = &'p Path>) -> CommonFolder {
        let mut folders = folders.into_iter();
        let first = folders.next().unwrap_or(Path::new("")).to_owned();
        CommonFolder(folders.fold(first, |common, folder| {
            let both = common.components().zip(folder.components());
            both.take_while(|(one, other)| one == other).map(|(one, _)| one).collect()
        }))
    }

    /// The name of a file, relative to the folder.
    pub fn name(&self, path: &Path) -> String {
        let name = path.strip_prefix(&self.0).unwrap_or(path);
        let is_root = |part: &Component<'_>| matches!(part, Component::RootDir | Component::Prefix(_));
        let parts = name.components().skip_while(is_root).map(|part| part.as_os_str().to_string_lossy());
        parts.collect::<Vec<_>>().join("/")
    }
}

/// The output file of a page that has a name: a path relative to the [`CommonFolder`], or an id.
///
/// `.html` is replaced; other extensions are kept, so that `a.html` and `a.htm` stay distinct.
///
/// ```
/// use std::path::Path;
/// use tamis_batch::output_file;
///
/// assert_eq!(output_file("news/rain.html", "txt"), Path::new("news/rain.txt"));
/// assert_eq!(output_file("news/rain.html.gz", "txt"), Path::new("news/rain.html.gz.txt"));
/// ```
pub fn output_file(name: &str, extension: &str) -> PathBuf {
    let stem = name.strip_suffix(".html").filter(|stem| !is_page_name(Path::new(stem)));
    let parts = stem.unwrap_or(name).split(['/', '\\']).map(safe).filter(|part| !part.is_empty());
    let parts: Vec<String> = parts.collect();
    let shown = parts.join("/");
    // A digest if the name was changed, or could equal that of another page without `.html`.
    let is_own = stem.map_or(shown == name && is_page_name(Path::new(name)), |stem| shown == stem);
    let digest = if is_own { String::new() } else { format!("-{:016x}", xxh3_64(name.as_bytes())) };
    PathBuf::from(format!("{shown}{digest}.{extension}"))
}

/// The output file of a page that has only a URL: a folder named after the host, and a name made of the rest. `own`
/// distinguishes pages of one URL.
pub fn output_file_for_url(url: &str, own: &str, extension: &str) -> PathBuf {
    let host = crate::record::host(url).map_or_else(|| "unknown".to_owned(), |host| safe(&host));
    let path = url.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map_or("", |(_, path)| path);
    let readable: String = safe(path).chars().take(MAX_ADDRESS).collect();
    let dash = if readable.is_empty() { "" } else { "-" };
    Path::new(&host).join(format!("{readable}{dash}{:016x}.{extension}", xxh3_64(own.as_bytes())))
}

/// Keeps letters and digits; no name can leave the directory.
fn safe(text: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name: String = text.chars().map(kept).take(120).collect();
    name.trim_matches(['.', '_']).to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_stay_in_the_directory_and_apart() {
        for (name, file) in [
            ("a/b.html", "a/b.txt"),
            ("b.htm", "b.htm.txt"),
            ("v1.2.html", "v1.2.txt"),
            ("b.html.gz", "b.html.gz.txt"),
            ("b.mhtml", "b.mhtml.txt"),
        ] {
            assert_eq!(output_file(name, "txt"), Path::new(file));
        }
        let names = [
            "a/b.html",
            "a/../b.html",
            "b.html",
            "b",
            "b.htm",
            "b.htm.html",
            "_b.html",
            "a b.html",
            "a_b.html",
            "../..",
            "b.html.html",
            "b.txt",
            "a/b",
            "",
            ".html",
        ];
        let files: HashSet<PathBuf> = names.iter().map(|name| output_file(name, "txt")).collect();
        assert_eq!(files.len(), names.len(), "{files:?}");
        assert!(files.iter().all(|file| file.components().all(|it| matches!(it, Component::Normal(_)))));
        let url = "http://e.com/x/../y?z=1";
        let [one, other] = ["0 0-1", "0 9-1"].map(|own| output_file_for_url(url, own, "txt"));
        assert!(one.starts_with("e.com") && one != other && one.components().count() == 2, "{one:?}");
    }

    #[test]
    fn files_keep_the_folders_below_what_all_inputs_share() {
        for (folders, path, name) in [
            (&["a"][..], "a/b/x.html", "b/x.html"),
            (&["a/b", "a/c"], "a/b/x.html", "b/x.html"),
            (&["a", ""], "a/x.html", "a/x.html"),
            (&["/a", "/a"], "/a/x.html", "x.html"),
            (&["/a", "b"], "/a/x.html", "a/x.html"),
            (&["../a", ""], "../a/x.html", "../a/x.html"),
        ] {
            let common = CommonFolder::of(folders.iter().map(Path::new));
            assert_eq!(common.name(Path::new(path)), name);
        }
    }
}

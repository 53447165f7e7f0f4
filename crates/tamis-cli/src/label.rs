//! `tamis label`: the talk with a person who says which blocks of a page are its text.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use tamis::page::Page;
use tamis::text::arabic::fold_page;
use tamis::{Extractor, Input};
use tamis_html::decode::{Decoder, check_page};
use tamis_lab::label::{self, Answer, Choice, Labelling};
use tamis_methods::Selection;
use tamis_site::SiteKey;

use crate::fetch::Bounds;
use crate::jobs::{self, Job};
use crate::model;

/// Say which blocks of pages are their text, and add them to a set.
///
/// The set is a folder with truth.jsonl and pages/, as `tamis eval` and `tamis train` read it. The blocks are shown with
/// their numbers (those of `tamis explain`) and what the method says of each: + kept, - dropped; k marks what is kept now.
/// A page that is labelled again replaces its label. A label is of whole blocks: what `tamis extract` leaves out inside of
/// blocks ("Related: ...") stands in it.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Label {
    /// The pages: files or addresses.
    #[arg(value_name = "FILE|URL", required = true)]
    pages: Vec<String>,

    /// The set; it is made if it is not there.
    #[arg(long, value_name = "DIR", required_unless_present = "draft")]
    set: Option<PathBuf>,

    /// Take the choices from here instead of asking: {"keep": [3, "5-9"]} or {"drop": [4]}, with title, date and page_type
    /// if known. For several pages, as many one behind the other. - is standard input. With blocks_digest (see --draft), a choice for
    /// other blocks is refused.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Write no label, but what the method says as a choice to be changed and given to --from: a line a page, with the digest of the
    /// blocks it is for.
    #[arg(long, conflicts_with_all = ["set", "from", "id"])]
    draft: bool,

    /// The method whose judgement is shown, and begun with.
    #[arg(long, value_name = "NAME", default_value_t = Selection::default(), value_parser = model::method)]
    method: Selection,

    /// A model of one's own for the method (`tamis train`).
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// The name of the page in the set; a page that has it is replaced. Default: that of the file or address.
    #[arg(long, value_name = "ID")]
    id: Option<String>,

    /// Where the page comes from.
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// The site of the pages: pages of one site are never on both sides when a model is trained. Default: by the
    /// address, that of --url or the one that the page names itself.
    #[arg(long, value_name = "KEY")]
    site: Option<String>,

    /// Read the pages in this encoding, whatever they say themselves.
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,

    #[command(flatten)]
    bounds: Bounds,
}

const EXAMPLES: &str = "Examples:
  tamis label page.html --set mine                              asks
  tamis label page.html --set mine --from choice.json           does not
  echo '{\"drop\": [0, \"7-9\"]}' | tamis label page.html --set mine --from -
  tamis label page.html --draft > choice.json                   for --from, to be changed
  printf 'only 3 5-9\\ndone\\n' | tamis label page.html --set mine
  tamis eval mine; tamis train --data mine sets -o mine.model

Exit codes: 0 done, 1 left without a label, 2 an error.";

impl Label {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        if self.pages.len() > 1 && (self.id.is_some() || self.url.is_some()) {
            bail!(
                "--id and --url are for one page, but {} were given: label them one by one",
                self.pages.len()
            );
        }
        if self.pages.iter().any(|page| page == "-") {
            bail!("standard input is where the choice comes from: save the page to a file, and name that");
        }
        let choices = self.from.as_deref().map(choices).transpose()?;
        if let Some(choices) = &choices
            && choices.len() != self.pages.len()
        {
            bail!("there are {} choices for {} pages: give one a page", choices.len(), self.pages.len());
        }
        let asks = io::stdin().is_terminal();
        let mut talk = Talk { lines: io::stdin().lock(), out: io::stdout(), asks };
        for (place, page) in self.pages.iter().enumerate() {
            let choice = choices.as_ref().map(|choices| &choices[place]);
            if !self.page(page, choice, &mut talk)? {
                return Ok(ExitCode::from(1));
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Labels a page; false if the person has left.
    fn page(
        &self,
        page: &str,
        choice: Option<&Choice>,
        talk: &mut Talk<impl BufRead, impl Write>,
    ) -> Result<bool> {
        let mut job = Job::named(page);
        job.url = self.url.clone().or(job.url);
        let fetched = job.read(self.bounds)?;
        let url = job.url_of(&fetched);
        let model = self.model.as_deref().map(|file| model::read(file, &[self.method])).transpose()?;
        let extractor = model::extractor(Extractor::builder(), self.method, model.as_ref());
        let mut decoder = Decoder::new();
        if let Some(label) = &self.encoding {
            decoder = decoder.encoding_label(label)?;
        }
        if let Some(content_type) = &fetched.content_type {
            decoder = decoder.content_type(content_type);
        }
        if let Some(url) = &url {
            decoder = decoder.url(url);
        }
        let decoded = decoder.decode(&fetched.bytes);
        check_page(&fetched.bytes, &decoded).with_context(|| job.label())?;
        let html = fold_page(decoded.text.clone());
        let page = Page::parse(&html);
        let mut input = Input::text(&html);
        if let Some(url) = &url {
            input = input.url(url);
        }
        let analyzed = extractor.analyze_with(input, |analysis| {
            let canonical = extractor.document(&input, analysis).metadata.canonical;
            (analysis.prediction.kept.clone(), canonical)
        });
        let (kept, canonical) = analyzed.map_err(jobs::explained).with_context(|| job.label())?;
        let mut labelling = Labelling::new(&page, url.as_deref(), &kept);
        let Some(set) = self.set.as_deref().filter(|_| !self.draft) else {
            talk.say(&(serde_json::to_string(&labelling.draft())? + "\n"))?;
            return Ok(true);
        };
        match choice {
            Some(choice) => labelling.choose(choice).with_context(|| job.label())?,
            None => {
                if !talk.over(&mut labelling, &job.label())? {
                    return Ok(false);
                }
            }
        }
        let id = self.id.clone().unwrap_or_else(|| job.file_name());
        let mut truth = labelling.truth(&id).with_context(|| job.label())?;
        // A file has no address, but most pages name their own.
        let address = url.clone().or(canonical);
        let key = || SiteKey::from_url(address.as_deref()?).map(|key| key.as_str().to_owned());
        truth.site = self.site.clone().or_else(key);
        if truth.site.is_none() {
            eprintln!(
                "tamis: warning: {}: nothing tells its site, so it counts as one by itself when a model is trained; label it again with --url or --site",
                job.label()
            );
        }
        // Whoever reads the set knows the address, but neither the server nor --encoding: where these mattered, the page is
        // kept as it was read.
        let alone = match &url {
            Some(url) => Decoder::new().url(url),
            None => Decoder::new(),
        };
        let bytes = if alone.decode(&fetched.bytes).text == decoded.text {
            fetched.bytes.clone()
        } else {
            format!("\u{FEFF}{}", decoded.text).into_bytes()
        };
        let kept = labelling.kept().count();
        let added = label::add(set, truth, &bytes, self.id.is_some())?;
        let what = if added.replaced { "label replaced" } else { "labelled" };
        talk.say(&format!(
            "{what}: {} ({kept} of {} blocks kept); pages in {}: {}\n",
            added.file.display(),
            page.blocks.len(),
            set.display(),
            added.pages
        ))?;
        Ok(true)
    }
}

/// The choices of a file, or of standard input.
fn choices(file: &Path) -> Result<Vec<Choice>> {
    let (name, json) = if file.as_os_str() == "-" {
        let mut json = String::new();
        ("standard input".to_owned(), io::stdin().lock().read_to_string(&mut json).map(|_| json))
    } else {
        (file.display().to_string(), fs::read_to_string(file))
    };
    let json =
        json.with_context(|| format!("cannot read the choice from {name}; check the path, or give -"))?;
    label::choices(&json).with_context(|| name)
}

/// Who answers: a person at a terminal, or lines from elsewhere, to which nothing is shown that was not asked for.
struct Talk<R, W> {
    lines: R,
    out: W,
    asks: bool,
}

impl<R: BufRead, W: Write> Talk<R, W> {
    /// Talks until the page is labelled; false if the person leaves.
    fn over(&mut self, labelling: &mut Labelling<'_>, name: &str) -> Result<bool> {
        if self.asks {
            self.say(&format!("{name}\n{}{}", labelling.listing(width()), Labelling::HELP))?;
        }
        loop {
            if self.asks {
                self.say("> ")?;
            }
            let mut line = String::new();
            if self
                .lines
                .read_line(&mut line)
                .context("cannot read what is to be done from standard input")?
                == 0
            {
                if self.asks {
                    return Ok(false);
                }
                bail!(
                    "{name}: the lines ended before \"done\", so it has no label; write done behind the choice, or use --from"
                );
            }
            if line.trim().is_empty() {
                continue;
            }
            match labelling.command(&line) {
                Ok(Answer::Done) => match labelling.truth("page") {
                    Err(error) if self.asks => self.say(&format!("{error}\n"))?,
                    _ => return Ok(true),
                },
                Ok(Answer::Quit) => return Ok(false),
                Ok(Answer::Show) => self.say(&labelling.listing(width()))?,
                Ok(Answer::Text) => self.say(&labelling.text())?,
                Ok(Answer::Help) => self.say(Labelling::HELP)?,
                Ok(Answer::Changed) if self.asks => {
                    let kept: Vec<String> = labelling.kept().map(|block| block.to_string()).collect();
                    let facts = [
                        ("title", &labelling.title),
                        ("date", &labelling.date),
                        ("type", &labelling.page_type),
                    ];
                    let facts = facts
                        .into_iter()
                        .filter_map(|(name, fact)| Some(format!("; {name}: {}", fact.as_ref()?)));
                    self.say(&format!("kept: {}{}\n", kept.join(" "), facts.collect::<String>()))?;
                }
                Ok(Answer::Changed) => {}
                // A person tries again; a file does not.
                Err(error) if self.asks => self.say(&format!("{error}\n"))?,
                Err(error) => return Err(error).with_context(|| name.to_owned()),
            }
        }
    }

    fn say(&mut self, text: &str) -> Result<()> {
        self.out
            .write_all(text.as_bytes())
            .and_then(|()| self.out.flush())
            .context("cannot write to standard output")
    }
}

/// The width of the terminal, where the environment tells it.
fn width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_may_err_and_leave() {
        let page = Page::parse("<p>Home<p>It rained.");
        let talk = |lines: &str| {
            let mut labelling = Labelling::new(&page, None, &[]);
            let done = Talk { lines: lines.as_bytes(), out: io::sink(), asks: true }
                .over(&mut labelling, "page")
                .unwrap();
            (done, labelling.kept().collect::<Vec<_>>())
        };
        assert_eq!(talk("keep 7\nkeep x\nkeep 1\ndone\nkeep 0\n"), (true, vec![1]));
        assert_eq!(talk("keep 1\nquit\n"), (false, vec![1]));
        assert_eq!(talk("keep 1\n"), (false, vec![1]), "the end of the input is leaving");
        assert_eq!(talk("done\nkeep 0\ndone\n"), (true, vec![0]), "nothing kept is no label yet");
    }
}

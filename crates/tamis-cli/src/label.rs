//! `tamis label`: choose the main-text blocks of pages, in a dialogue or from a file.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use tamis_batch::{Bounds, Work, WorkOptions};
use tamis_html::decode::Decoder;
use tamis_lab::label::{self, Answer, Choice, Labelling};
use tamis_site::SiteKey;

use crate::ExitCode;
use crate::console::{self, warning};
use crate::flags::{EncodingFlag, LimitFlags, SiteFlag, SourceFlags};
use crate::input::read_text;
use crate::jobs::Job;
use crate::model::MethodFlag;
use crate::pipeline::{Loaded, Pipeline};

/// Label the main-text blocks of pages.
///
/// The labels go into a dataset: a folder with truth.jsonl and pages/, as `tamis eval` and `tamis train` read it. Blocks
/// are listed with their numbers (those of `tamis explain`) and the verdict of the method: + kept, - dropped; k marks
/// what is kept now. Labelling a page again replaces its label. A label consists of whole blocks.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Label {
    /// Files or URLs.
    #[arg(value_name = "PAGE", required = true, help_heading = "Input")]
    pages: Vec<String>,

    /// Read the choices from FILE instead of asking; - for standard input.
    ///
    /// One JSON object per page: {"keep": [3, "5-9"]} or {"drop": [4]}, with title, date and page_type if known. With
    /// blocks_digest (see --draft), a choice that was made for other blocks is refused.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    from: Option<PathBuf>,

    #[command(flatten)]
    source: SourceFlags,

    #[command(flatten)]
    encoding: EncodingFlag,

    #[command(flatten)]
    site: SiteFlag,

    /// Dataset that the labels go into; created if missing.
    #[arg(long, value_name = "DIR", required_unless_present = "draft", help_heading = "Output")]
    set: Option<PathBuf>,

    /// Id of the page in the dataset; a page with this id is replaced [default: from the file name or URL].
    #[arg(long, value_name = "ID", help_heading = "Output")]
    id: Option<String>,

    /// Write no label, but print the verdict of the method as a choice for --from.
    #[arg(long, conflicts_with_all = ["set", "from", "id"], help_heading = "Output")]
    draft: bool,

    #[command(flatten)]
    method: MethodFlag,

    #[command(flatten)]
    limits: LimitFlags,
}

const EXAMPLES: &str = "Examples:
  tamis label page.html --set mine                       asks
  tamis label page.html --set mine --from choice.json
  echo '{\"drop\": [0, \"7-9\"]}' | tamis label page.html --set mine --from -
  tamis label page.html --draft > choice.json            to edit and pass to --from
  printf 'only 3 5-9\\ndone\\n' | tamis label page.html --set mine
  tamis eval mine; tamis train mine sets -o mine.model

Exit codes: 0 done, 1 left without a label, 2 an error.";

impl Label {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let pages = &self.pages;
        if pages.len() > 1 && (self.id.is_some() || self.source.url.is_some()) {
            bail!("--id and --url are for one page, but {} were given: label them one by one", pages.len());
        }
        if pages.iter().any(|page| page == "-") {
            bail!("standard input is for the choices: save the page and name the file");
        }
        let choices = self.from.as_deref().map(choices).transpose()?;
        if let Some(choices) = &choices
            && choices.len() != pages.len()
        {
            bail!("there are {} choices for {} pages: give one per page", choices.len(), pages.len());
        }
        let pipeline = Pipeline::new(
            Work::new(WorkOptions {
                method: self.method.method,
                model: self.method.model()?,
                encoding: self.encoding.encoding.clone(),
                bounds: self.limits.bounds(),
                ..WorkOptions::default()
            }),
            self.limits,
        );
        let asks = io::stdin().is_terminal();
        let mut dialogue = Dialogue { lines: io::stdin().lock(), out: io::stdout(), asks };
        for (place, page) in pages.iter().enumerate() {
            let choice = choices.as_ref().map(|choices| &choices[place]);
            let mut job = Job::named(page);
            job.url = self.source.url.clone().or(job.url);
            if !self.page(&job, &pipeline, choice, &mut dialogue)? {
                return Ok(ExitCode::from(1));
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Labels a page; false if the user quits.
    fn page(
        &self,
        job: &Job,
        pipeline: &Pipeline,
        choice: Option<&Choice>,
        dialogue: &mut Dialogue<impl BufRead, impl Write>,
    ) -> Result<bool> {
        let page = pipeline.load(job)?;
        let (kept, canonical) = pipeline.analyze(job, &page, |_, input, analysis| {
            let canonical = pipeline.work.extractor().document(input, analysis).metadata.canonical;
            (analysis.prediction.kept.clone(), canonical)
        })?;
        // A user takes longer than a page may: a year is no limit.
        let bounds = Bounds { time: Duration::from_secs(31_536_000), ..self.limits.bounds() };
        let options = WorkOptions { bounds, ..pipeline.work.options().clone() };
        Pipeline::new(Work::new(options), self.limits).parse(job, &page, |parsed| {
            let mut labelling = Labelling::new(parsed, page.url.as_deref(), &kept);
            let Some(set) = self.set.as_deref().filter(|_| !self.draft) else {
                dialogue.say(&(serde_json::to_string(&labelling.draft())? + "\n"))?;
                return Ok(true);
            };
            match choice {
                Some(choice) => labelling.choose(choice).with_context(|| job.label())?,
                None if !dialogue.label(&mut labelling, &job.label())? => return Ok(false),
                None => {}
            }
            let added = self.add(job, &page, canonical.as_deref(), &labelling, set)?;
            let what = if added.replaced { "label replaced" } else { "labelled" };
            dialogue.say(&format!(
                "{what}: {} ({} of {} blocks kept); pages in {}: {}\n",
                added.file.display(),
                labelling.kept().count(),
                parsed.blocks.len(),
                set.display(),
                added.pages
            ))?;
            Ok(true)
        })?
    }

    fn add(
        &self,
        job: &Job,
        page: &Loaded,
        canonical: Option<&str>,
        labelling: &Labelling<'_>,
        set: &Path,
    ) -> Result<label::Added> {
        let id = self.id.clone().unwrap_or_else(|| {
            job.output_file("").with_extension("").to_string_lossy().replace(['/', '\\'], "_")
        });
        let mut truth = labelling.truth(&id).with_context(|| job.label())?;
        // A file has no URL, but most pages declare their own.
        let url = page.url.as_deref().or(canonical);
        let key = || SiteKey::from_url(url?).map(|key| key.as_str().to_owned());
        truth.site = self.site.site.clone().or_else(key);
        if truth.site.is_none() {
            warning!(
                "{}: unknown site, so training treats it as a site of its own; pass --url or --site",
                job.label()
            );
        }
        Ok(label::add(set, truth, &self.stored(page)?, self.id.is_some())?)
    }

    /// The bytes to store. Readers of the dataset know the URL, but neither the server's header nor `--encoding`: where
    /// these matter, the decoded page is stored.
    fn stored(&self, page: &Loaded) -> Result<Vec<u8>> {
        let decoder = || match &page.url {
            Some(url) => Decoder::new().url(url),
            None => Decoder::new(),
        };
        let mut informed = decoder();
        if let Some(label) = &self.encoding.encoding {
            informed = informed.encoding_label(label)?;
        }
        if let Some(content_type) = &page.raw.content_type {
            informed = informed.content_type(content_type);
        }
        let bytes = &page.raw.bytes;
        let decoded = informed.decode(bytes);
        Ok(match decoder().decode(bytes).text == decoded.text {
            true => bytes.clone(),
            false => format!("\u{FEFF}{}", decoded.text).into_bytes(),
        })
    }
}

/// The choices in a file or on standard input.
fn choices(file: &Path) -> Result<Vec<Choice>> {
    let name = if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() };
    let json = read_text(file)
        .with_context(|| format!("cannot read the choices from {name}: check the path, or give -"))?;
    label::choices(&json).with_context(|| name)
}

/// Commands from a terminal, or from a pipe, which gets only the output it asks for.
struct Dialogue<R, W> {
    lines: R,
    out: W,
    asks: bool,
}

impl<R: BufRead, W: Write> Dialogue<R, W> {
    /// Runs commands until the page is labelled; false if the user quits.
    fn label(&mut self, labelling: &mut Labelling<'_>, name: &str) -> Result<bool> {
        if self.asks {
            self.say(&format!("{name}\n{}{}", labelling.listing(console::width()), Labelling::HELP))?;
        }
        loop {
            if self.asks {
                self.say("> ")?;
            }
            let mut line = String::new();
            if self.lines.read_line(&mut line).context("cannot read from standard input")? == 0 {
                if self.asks {
                    return Ok(false);
                }
                bail!(
                    "{name}: the input ended before \"done\", so there is no label; end with done, or use --from"
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
                Ok(Answer::Show) => self.say(&labelling.listing(console::width()))?,
                Ok(Answer::Text) => self.say(&labelling.text())?,
                Ok(Answer::Help) => self.say(Labelling::HELP)?,
                Ok(Answer::Changed) if self.asks => {
                    let kept: Vec<String> = labelling.kept().map(|block| block.to_string()).collect();
                    let metadata = [
                        ("title", &labelling.title),
                        ("date", &labelling.date),
                        ("type", &labelling.page_type),
                    ];
                    let metadata = metadata
                        .into_iter()
                        .filter_map(|(name, value)| Some(format!("; {name}: {}", value.as_ref()?)));
                    self.say(&format!("kept: {}{}\n", kept.join(" "), metadata.collect::<String>()))?;
                }
                Ok(Answer::Changed) => {}
                // A user tries again; a pipe does not.
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

#[cfg(test)]
mod tests {
    use tamis::page::Page;

    use super::*;

    #[test]
    fn mistakes_can_be_corrected_and_the_end_of_input_quits() {
        let page = Page::parse("<p>Home<p>It rained.");
        let run = |lines: &str| {
            let mut labelling = Labelling::new(&page, None, &[]);
            let done = Dialogue { lines: lines.as_bytes(), out: io::sink(), asks: true }
                .label(&mut labelling, "page")
                .unwrap();
            (done, labelling.kept().collect::<Vec<_>>())
        };
        assert_eq!(run("keep 7\nkeep x\nkeep 1\ndone\nkeep 0\n"), (true, vec![1]));
        assert_eq!(run("keep 1\nquit\n"), (false, vec![1]));
        assert_eq!(run("keep 1\n"), (false, vec![1]), "the end of the input quits");
        assert_eq!(run("done\nkeep 0\ndone\n"), (true, vec![0]), "nothing kept is no label yet");
    }
}

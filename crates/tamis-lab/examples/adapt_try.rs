#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]
use std::collections::BTreeMap;
use tamis::classify::Model;
use tamis_lab::Set;
use tamis_lab::train::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let set = Set::open(args[1].as_ref()).unwrap();
    let others: Vec<Set> = args[2..].iter().map(|a| Set::open(a.as_ref()).unwrap()).collect();
    let base = Model::built_in();
    // score all pages by 'labelled' = whole set to get before; group by site
    let mut by: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (i, t) in set.truths.iter().enumerate() {
        by.entry(t.site.clone().unwrap_or(t.id.clone())).or_default().push(i);
    }
    let n: usize = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    let mut settings = AdaptSettings::default();
    if let Ok(w) = std::env::var("AW") {
        settings.anchor_weight = w.parse().unwrap();
    }
    if let Ok(w) = std::env::var("TREES") {
        settings.boost.trees = w.parse().unwrap();
    }
    if let Ok(w) = std::env::var("L2") {
        settings.boost.l2 = w.parse().unwrap();
    }
    if let Ok(w) = std::env::var("DEPTH") {
        settings.boost.depth = w.parse().unwrap();
    }
    if let Ok(w) = std::env::var("LR") {
        settings.boost.learning_rate = w.parse().unwrap();
    }
    let mut watch = others[0].clone();
    watch.truths = watch.truths.into_iter().step_by(9).collect();
    let ob = adapt_score(&base, &watch);
    println!("{} {} {ob}", watch.name, watch.truths.len());
    let mut sums = [0.0f64; 8];
    let mut k = 0;
    for (site, places) in by.iter().filter(|(_, p)| p.len() >= n + 2) {
        let mut lab = set.clone();
        lab.truths = places[..n].iter().map(|p| set.truths[*p].clone()).collect();
        // watch: the rest of the site, as a set with other sites names
        let mut rest = set.clone();
        rest.folder = "x".into();
        rest.folder = set.folder.clone();
        rest.truths = places[n..].iter().map(|p| set.truths[*p].clone()).collect();
        let start = std::time::Instant::now();
        let adapted = adapt(&base, &lab, &[], &settings, &|_, _| true).unwrap();
        let took = start.elapsed().as_secs_f64();
        let mean = |f: &dyn Fn(&PageChange) -> f64, l: bool| {
            let v: Vec<f64> = adapted.pages.iter().filter(|p| p.labelled == l).map(f).collect();
            v.iter().sum::<f64>() / v.len().max(1) as f64
        };
        let rest_of = |m: &Model| {
            let a = adapt_score(m, &rest);
            a
        };
        let (rb, ra) = (rest_of(&base), rest_of(&adapted.model));
        let row = [
            mean(&|p| p.before, true),
            mean(&|p| p.after, true),
            rb,
            ra,
            mean(&|p| p.before, false),
            mean(&|p| p.after, false),
            mean(&|p| f64::from(u8::from(p.changed)), false),
            took,
        ];
        let mut row = row;
        row[4] = ob;
        row[5] = adapt_score(&adapted.model, &watch);
        println!(
            "{site:40} lab {:.3}>{:.3} site {:.3}>{:.3} other {:.4}>{:.4} changed {:.2} {:.1}s",
            row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]
        );
        sums.iter_mut().zip(row).for_each(|(s, r)| *s += r);
        k += 1;
        if k >= 40 {
            break;
        }
    }
    let r: Vec<f64> = sums.iter().map(|s| s / k as f64).collect();
    println!(
        "MEAN lab {:.3}>{:.3} site {:.4}>{:.4} other {:.4}>{:.4} changed {:.3} {:.1}s",
        r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]
    );
}
fn adapt_score(model: &Model, set: &Set) -> f64 {
    let models =
        tamis_lab::run::Models { fused: Some(std::sync::Arc::new(model.clone())), ..Default::default() };
    let out = tamis_lab::run::run(
        set,
        &[tamis_lab::Trial::alone(tamis_methods::Selection::Fused)],
        &models,
        2,
        &|_| {},
    );
    let mut v = Vec::new();
    if let Some(o) = out.first() {
        if o[0].error.is_some() {
            println!("{:?}", o[0].error);
        }
    }
    for (t, o) in set.truths.iter().zip(out) {
        let text = o[0].text.clone().unwrap_or_default();
        if let Some(x) = token_overlap(t, t.title.as_deref().unwrap_or(""), &text) {
            v.push(x.f1());
        }
    }
    v.iter().sum::<f64>() / v.len().max(1) as f64
}

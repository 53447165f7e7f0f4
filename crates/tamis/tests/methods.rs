//! Every method on every test page: what must come out, what must not, and what each method is known to get wrong.
//!
//! A method's known misses are listed, so a test fails both when a method becomes worse and when it becomes better:
//! then its line in the table is to be changed. After a wanted change, run with `TAMIS_PRINT=1` and `--nocapture` to
//! see the misses as they are now.

#![allow(clippy::unwrap_used)]
#![allow(clippy::print_stdout, reason = "prints the table when asked to")]

mod common;

use std::collections::BTreeSet;

use tamis::{Balance, Extractor, Method, Options, Page, Site, fused};

struct Case {
    page: &'static str,
    /// What the page is about.
    has: &'static [&'static str],
    /// What stands around it.
    has_not: &'static [&'static str],
    /// What each method gets wrong.
    misses: &'static [(Method, &'static [&'static str])],
}

use Method::{Blocks, Containers, Correlation, Density, Fused, Lines, Svm, TemplateSvm};

const CASES: [Case; 16] = [
    // News, English.
    Case {
        page: "bridge",
        has: &["stay shut to lorries", "two of the eight piles", "careful than brave", "the last ferry"],
        has_not: &["Tide tables", "Herring prices", "Imprint"],
        misses: &[
            (Lines, &["Imprint"]),
            (TemplateSvm, &["Herring prices", "Imprint", "Tide tables"]),
            (Containers, &["Herring prices"]),
            (Svm, &["Herring prices", "Imprint", "Tide tables"]),
        ],
    },
    // A short page: fewer than a hundred words.
    Case {
        page: "notice",
        has: &["the boiler is being replaced", "brought back on Saturday"],
        has_not: &["Hours", "Imprint"],
        misses: &[(Containers, &["Hours", "Imprint"])],
    },
    // A forum thread, Uyghur.
    Case {
        page: "wells",
        has: &["كونا قۇدۇقنىڭ سۈيى", "ئالتە مېتىر چوڭقۇرلاتتۇق", "مەكتەپتىكى بالىلارغىمۇ"],
        has_not: &["تىزىملىتىش", "قائىدە", "يازما: 48"],
        misses: &[
            (Lines, &["يازما: 48"]),
            (Containers, &["تىزىملىتىش", "قائىدە", "يازما: 48"]),
            (Density, &["يازما: 48"]),
        ],
    },
    // A forum thread, Chinese, in layout tables.
    Case {
        page: "thread",
        has: &["只有一间木屋和一口井", "雨下了整整一夜", "太阳出来了", "我们也去过"],
        has_not: &["注册", "积分", "共 1 页"],
        misses: &[
            (Lines, &["积分"]),
            (Correlation, &["我们也去过"]),
            (Containers, &["我们也去过", "积分"]),
            (Density, &["共 1 页", "积分"]),
            (Fused, &["我们也去过"]),
        ],
    },
    // A question with its answers, Russian.
    Case {
        page: "clocks",
        has: &["отстают почти на две минуты", "густеет масло", "тонкую дощечку"],
        has_not: &["Метки", "О сайте", "Игнат Ладов"],
        misses: &[(Containers, &["Игнат Ладов"]), (Density, &["Игнат Ладов"])],
    },
    // A listing, Chinese.
    Case {
        page: "papers",
        has: &["老磨坊改成图书馆", "三百棵梨树", "每个星期六上午"],
        has_not: &["天气", "下一页", "关于我们"],
        misses: &[
            (Lines, &["三百棵梨树", "每个星期六上午"]),
            (TemplateSvm, &["关于我们"]),
            (Correlation, &["三百棵梨树", "每个星期六上午", "老磨坊改成图书馆"]),
            (Containers, &["三百棵梨树", "下一页", "关于我们", "天气", "每个星期六上午", "老磨坊改成图书馆"]),
            (Density, &["关于我们"]),
            (Svm, &["关于我们"]),
        ],
    },
    // A product, Japanese.
    Case {
        page: "kettle",
        has: &["一枚の銅板から", "桜の木を使い", "620グラム"],
        has_not: &["ログイン", "竹の茶こし", "お問い合わせ"],
        misses: &[
            (Lines, &["620グラム"]),
            (Correlation, &["620グラム"]),
            (Containers, &["竹の茶こし"]),
            (Blocks, &["620グラム"]),
            (Fused, &["620グラム"]),
        ],
    },
    // A manual with code and tables, English.
    Case {
        page: "manual",
        has: &[
            "from your own program",
            "every turn counts",
            "Loosen the beam",
            "The thread that moves",
            "or an error",
        ],
        has_not: &["Introduction", "Loomkeeper 4.2"],
        misses: &[
            (Lines, &["Loomkeeper 4.2", "or an error"]),
            (TemplateSvm, &["Loomkeeper 4.2"]),
            (Correlation, &["The thread that moves", "or an error"]),
            (Containers, &["Introduction"]),
            (Blocks, &["The thread that moves", "or an error"]),
            (Density, &["Loomkeeper 4.2"]),
            (Svm, &["Loomkeeper 4.2"]),
        ],
    },
    // An article with lists, a table and footnotes, English.
    Case {
        page: "harvest",
        has: &[
            "bring in the pears by hand",
            "medlars by the cartload",
            "310 | mixed",
            "by lantern light",
            "dry twice",
        ],
        has_not: &["Weather", "A bridge reopens", "Imprint"],
        misses: &[
            (Lines, &["310 | mixed", "Imprint"]),
            (TemplateSvm, &["A bridge reopens"]),
            (Correlation, &["310 | mixed", "medlars by the cartload"]),
            (Containers, &["310 | mixed", "A bridge reopens"]),
            (Blocks, &["310 | mixed", "by lantern light", "dry twice", "medlars by the cartload"]),
            (Density, &["Imprint"]),
            (Svm, &["A bridge reopens"]),
        ],
    },
    // An article, Uyghur.
    Case {
        page: "ferry",
        has: &["دەريا بويىغا يىغىلدى", "ثم ضحك الأطفال", "سائەت توققۇزدا"],
        has_not: &["ھاۋارايى", "©"],
        misses: &[
            (TemplateSvm, &["©"]),
            (Correlation, &["سائەت توققۇزدا"]),
            (Containers, &["©", "ھاۋارايى"]),
            (Density, &["©"]),
            (Svm, &["©"]),
        ],
    },
    // Several texts on one page, Thai.
    Case {
        page: "choirs",
        has: &["ปิดซ่อมท่าเรือนานสามเดือน", "ปลูกต้นโกงกางตามริมฝั่ง", "เล่นให้ฟังฟรีในคืนวันเพ็ญ"],
        has_not: &["ภาพถ่าย", "ลดราคาร่ม", "ติดต่อ"],
        misses: &[
            (Lines, &["ปลูกต้นโกงกางตามริมฝั่ง", "ปิดซ่อมท่าเรือนานสามเดือน", "เล่นให้ฟังฟรีในคืนวันเพ็ญ"]),
            (Containers, &["ติดต่อ", "ภาพถ่าย", "ลดราคาร่ม"]),
            (Density, &["ติดต่อ", "ภาพถ่าย", "ลดราคาร่ม"]),
        ],
    },
    // Links are what the page is about, French.
    Case {
        page: "links",
        has: &["tenue par le club", "Ruches et cadres", "Fondre la cire"],
        has_not: &["Plan du site"],
        misses: &[
            (Lines, &["Fondre la cire", "Ruches et cadres"]),
            (TemplateSvm, &["Fondre la cire", "Ruches et cadres", "tenue par le club"]),
            (Correlation, &["Fondre la cire", "Ruches et cadres"]),
            (Containers, &["Fondre la cire", "Ruches et cadres", "tenue par le club"]),
            (Blocks, &["Fondre la cire", "Ruches et cadres"]),
            (Density, &["Plan du site"]),
            (Svm, &["Fondre la cire", "Ruches et cadres", "tenue par le club"]),
        ],
    },
    // A blog with comments, German.
    Case {
        page: "oven",
        has: &["brennt im Hof wieder Feuer", "zwei Stunden Ruhe", "eine Scheibe mit Butter"],
        has_not: &[
            "Archiv",
            "Äpfel getrocknet",
            "Buchenholz",
            "Antworten",
            "Kommentar schreiben",
            "Impressum",
        ],
        misses: &[],
    },
    // News with other articles' links inside the text, Arabic.
    Case {
        page: "dates",
        has: &["قبل موعده بأسبوعين", "أحلى من كل عام", "أغاني الجني القديمة", "ماء البئر الكبيرة"],
        has_not: &["ثقافة", "سباق القوارب", "اتصل بنا"],
        misses: &[(Containers, &["اتصل بنا", "ثقافة", "سباق القوارب"]), (Density, &["سباق القوارب"])],
    },
    // Hidden text before and inside the text, Turkish.
    Case {
        page: "stones",
        has: &["hiçbir harç kullanmadan", "her taşın bir yüzü", "nar ve incir"],
        has_not: &["Pazar", "tarayıcınızı güncelleyin", "Gizli not", "İletişim"],
        misses: &[
            (TemplateSvm, &["Pazar", "İletişim"]),
            (Blocks, &["Gizli not", "tarayıcınızı güncelleyin", "İletişim"]),
            (Svm, &["Pazar", "İletişim"]),
        ],
    },
    // Paragraphs parted by line breaks in a layout table, Chinese.
    Case {
        page: "boats",
        has: &["他从不画图", "像一条条浅黄色的小鱼", "请他吃一顿热饭", "数到第九条"],
        has_not: &["留言", "夜里的鱼市", "关于"],
        misses: &[
            (TemplateSvm, &["关于", "夜里的鱼市", "留言"]),
            (Containers, &["夜里的鱼市"]),
            (Svm, &["关于", "夜里的鱼市", "留言"]),
        ],
    },
];

fn missed(case: &Case, method: Method) -> BTreeSet<&'static str> {
    let document = Extractor::new().method(method).extract(&common::source(case.page));
    let text = document.to_text(&Options::default());
    let lost = case.has.iter().filter(|phrase| !text.contains(**phrase));
    let noise = case.has_not.iter().filter(|phrase| text.contains(**phrase));
    lost.chain(noise).copied().collect()
}

#[test]
fn every_method_gets_every_page_as_right_as_it_is_known_to() {
    let mut wrong = Vec::new();
    for case in &CASES {
        let source = common::source(case.page);
        for phrase in case.has.iter().chain(case.has_not) {
            let said = tamis::Page::parse(&source);
            assert!(
                said.blocks().iter().any(|block| said.text(block).contains(phrase)),
                "{}: the page does not say {phrase:?}",
                case.page
            );
        }
        for method in Method::ALL {
            let known =
                case.misses.iter().filter(|(other, _)| *other == method).flat_map(|(_, phrases)| *phrases);
            let known: BTreeSet<&str> = known.copied().collect();
            let now = missed(case, method);
            if std::env::var_os("TAMIS_PRINT").is_some() && !now.is_empty() {
                println!("{} ({method:?}, &{:?}),", case.page, now.iter().collect::<Vec<_>>());
            }
            let worse: Vec<_> = now.difference(&known).collect();
            let better: Vec<_> = known.difference(&now).collect();
            if !worse.is_empty() || !better.is_empty() {
                wrong.push(format!("{} {method}: now wrong {worse:?}, now right {better:?}", case.page));
            }
        }
    }
    assert!(wrong.is_empty(), "the table does not say how it is:\n{}", wrong.join("\n"));
}

#[test]
fn every_page_has_a_method_that_gets_it_right_unless_it_is_all_links() {
    for case in CASES.iter().filter(|case| !["papers", "links"].contains(&case.page)) {
        let best = Method::ALL.into_iter().map(|method| missed(case, method).len()).min();
        assert!(best.unwrap() <= 1, "{}: {best:?}", case.page);
    }
}

#[test]
fn comments_come_when_asked_for_whatever_the_method_keeps() {
    for method in Method::ALL {
        let document = Extractor::new().method(method).comments(true).extract(&common::source("oven"));
        let comments: Vec<String> = document.comments.iter().map(|comment| comment.to_text()).collect();
        assert_eq!(comments.len(), 3, "{method}: {comments:?}");
        assert!(comments[0].starts_with("Bei uns stand genau so ein Ofen"), "{method}: {comments:?}");
        assert_eq!(comments[2], "Ich komme am Sonntag mit den Kindern.\n", "{method}");
    }
}

#[test]
fn the_dial_only_leaves_out_or_adds() {
    let pages = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    for path in std::fs::read_dir(pages).unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_none_or(|end| end != "html") {
            continue;
        }
        let html = std::fs::read_to_string(&path).unwrap();
        let page = Page::parse(&html);
        let kept = |balance| -> BTreeSet<usize> {
            fused::judge_with(&page, &Site::default(), fused::Model::shipped(), balance).kept().collect()
        };
        let [precision, even, recall] = [Balance::Precision, Balance::Even, Balance::Recall].map(kept);
        assert!(precision.is_subset(&even) && even.is_subset(&recall), "{}", path.display());
    }
}

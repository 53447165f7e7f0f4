//! The language of the main text, and its direction.
//!
//! A page's frame may be in another language than its text, and templates declare `en` whatever they hold. The
//! script of the text's letters, letters that only one language has, and the commonest words decide where they can;
//! where they cannot, the page's own word is taken.

mod letters;
mod tags;
mod words;

use tamis_html::{Name, NodeRef};

use super::Around;
use super::evidence::{Evidence, Field, Origin};
use crate::judgement::Judgement;
use letters::Letters;
use tags::base;
pub(super) use tags::{direction, tag};
use words::{WORD, Words};

/// How much of the text is looked at for words, and for letters, in bytes.
const SAMPLE: usize = 1_600;
const LETTERS: usize = 6_000;
/// Fewer bytes of letters than these tell nothing.
const FEW: usize = 60;

/// Puts the candidates for the language among the evidence.
pub(super) fn gather(around: &Around<'_>, judgement: &Judgement, evidence: &mut Evidence) {
    let html = around.page.dom().html();
    let sources = [
        (
            html.and_then(|html| html.attribute_named(Name::LANG)).map(|it| it.into_owned()),
            Origin::Html,
            "lang",
            60.0,
        ),
        (
            around.piece().and_then(|piece| piece.text_of("inLanguage")).map(str::to_owned),
            Origin::JsonLd,
            "inLanguage",
            58.0,
        ),
        (
            around
                .scan
                .meta_named(&["content-language", "dc.language", "dcterms.language", "language"])
                .map(str::to_owned),
            Origin::Meta,
            "language",
            50.0,
        ),
        (
            around
                .told
                .and_then(|told| told.entry.language.as_deref().or(told.feed.language()))
                .map(str::to_owned),
            Origin::Feed,
            "language",
            46.0,
        ),
        (around.scan.meta_named(&["og:locale"]).map(str::to_owned), Origin::OpenGraph, "og:locale", 48.0),
    ];
    let Found { language: found, share, words } = of_text(around, judgement);
    for (value, origin, detail, weight) in sources {
        let Some(tag) = value.as_deref().and_then(tag) else { continue };
        // What the text says outweighs what the frame says, unless both say the same.
        let agrees = found.is_some_and(|found| {
            let declared = base(&tag);
            let may_gainsay = words.as_ref().is_none_or(|words| words.may_gainsay(&declared));
            // A tag that lacks the script says less than the text: Kazakh has three.
            let is_short = found.contains('-') && declared == base(found) && !tag.contains("-Arab");
            let is_same = declared == base(found) || is_near(&declared, &base(found));
            (is_same && !is_short) || !may_gainsay
        });
        let weight = if agrees { weight + 40.0 } else { weight };
        evidence.add(Field::Language, tag, origin, detail, weight);
    }
    if let Some(found) = found {
        let sure = if share >= 0.6 { 80.0 } else { 40.0 };
        evidence.add(Field::Language, found, Origin::Text, "letters and words of the text", sure);
    }
}

/// Languages that the words here cannot tell apart well enough to gainsay the page.
fn is_near(declared: &str, found: &str) -> bool {
    const GROUPS: &[&[&str]] = &[
        &["da", "nb", "no", "nn"],
        &["cs", "sk"],
        &["hr", "bs", "sr", "sl", "sh"],
        &["id", "ms", "jv", "su"],
        &["es", "gl", "ca", "ast", "pt"],
        &["nl", "af", "fy"],
        &["ru", "bg", "uk", "be", "mk", "sr", "kk", "ky", "tg", "mn", "tt"],
        &["fa", "ar", "ur", "ps", "ug", "ckb", "sd"],
        &["hi", "mr", "ne", "sa"],
        &["zh", "yue"],
        &["de", "lb", "gsw"],
        &["fr", "oc"],
        &["ca", "oc"],
        &["tr", "az", "tk", "crh"],
        &["is", "fo"],
        &["pl", "szl", "csb"],
        &["it", "la"],
        &["fi", "et"],
        &["he", "yi"],
        &["bn", "as"],
    ];
    GROUPS.iter().any(|group| group.contains(&declared) && group.contains(&found))
}

/// What the text itself says, and how sure that is.
#[derive(Default)]
struct Found {
    language: Option<&'static str>,
    share: f32,
    /// The words that say so, where letters alone do not.
    words: Option<Words>,
}

fn of_text(around: &Around<'_>, judgement: &Judgement) -> Found {
    let (mut letters, mut sample) = sampled(around, judgement, false);
    // Where nothing stands outside of code, it is no code: letters and mails are put in `pre` as they were typed.
    // So many letters are enough to know that it is not so: each of them is a byte at least.
    let said: usize = sample.chars().filter(|c| c.is_alphabetic()).take(FEW).map(char::len_utf8).sum();
    let is_typed = said < FEW;
    if is_typed {
        (letters, sample) = sampled(around, judgement, true);
    }
    if let Some((language, share)) = letters.language() {
        return Found { language, share, words: None };
    }
    // Latin letters: the language with most of its common words.
    let words = Words::of(&sample);
    let (first, second) = (words.most.1, words.next.1);
    // Formulas and names of commands between Chinese sentences make no language.
    if first * 7 < words.seen * WORD
        && let Some(asian) = letters.asian()
    {
        return Found { language: Some(asian), share: 0.8, words: None };
    }
    let least = if is_typed { 10 } else { 24 };
    // A few words tell as much where they speak for one language alone, though not against the page's own word.
    let is_short = words.seen < 20;
    let are_plain = words.seen >= 8 && first * 15 >= words.seen * WORD && first >= 2 * second;
    if (is_short && !are_plain) || first * least < words.seen * WORD {
        return Found::default();
    }
    let is_sure = !is_short || first * 8 >= words.seen * WORD;
    let near = is_near(words.most.0, words.next.0);
    let share = if is_sure && (first > second + second / 3 || near) { 0.9 } else { 0.4 };
    Found { language: Some(words.most.0), share, words: Some(words) }
}

/// The letters of the text, and a sample of its words. Code is in no language of people.
fn sampled(around: &Around<'_>, judgement: &Judgement, with_code: bool) -> (Letters, String) {
    let mut letters = Letters::default();
    let mut sample = String::with_capacity(SAMPLE);
    let mut counted = 0;
    for place in judgement.kept() {
        let Some(block) = around.page.blocks().get(place) else { continue };
        if !with_code && is_code(around.page.element(block)) {
            continue;
        }
        let text = around.page.text(block);
        let head = |room: usize| &text[..text.floor_char_boundary(room)];
        letters.count(head(LETTERS - counted));
        counted += head(LETTERS - counted).len();
        sample.push_str(head(SAMPLE.saturating_sub(sample.len())));
        sample.push(' ');
        if counted + 3 >= LETTERS {
            break;
        }
    }
    (letters, sample)
}

/// Does a block stand in code?
fn is_code(node: NodeRef<'_>) -> bool {
    let around = std::iter::once(node).chain(node.ancestors()).take(4);
    around.filter_map(|it| it.name_id()).any(|name| matches!(name, Name::PRE | Name::CODE | Name::LISTING))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;

    fn language(html: &str) -> Option<String> {
        let page = Page::parse(html);
        let judgement = Judgement::of(vec![true; page.blocks().len()]);
        let around = Around::of(&page, &judgement, None);
        let mut evidence = Evidence::default();
        gather(&around, &judgement, &mut evidence);
        evidence.choose(Field::Language)
    }

    #[test]
    fn the_text_outweighs_the_frame() {
        let german = "Es regnet seit neun Tagen, und die Gärten sind nicht mehr trocken. Der Fluss ist auf zwei Meter gestiegen, sagt das Amt, \
                      und auch die Brücke am Hafen ist für den Verkehr gesperrt.";
        assert_eq!(language(&format!("<html lang=en><p>{german}")).as_deref(), Some("de"));
        assert_eq!(language(&format!("<html lang=de-AT><p>{german}")).as_deref(), Some("de-AT"));
        assert_eq!(language(&format!("<p>{german}")).as_deref(), Some("de"));
        assert_eq!(
            language("<html lang=en><p>港口下了九天雨，花园终于不再干旱，河水上涨了两米。").as_deref(),
            Some("zh")
        );
        assert_eq!(
            language("<html lang=zh-TW><p>港口下了九天雨，花園終於不再乾旱，河水上漲了兩米。").as_deref(),
            Some("zh-TW")
        );
        assert_eq!(
            language("<p>يامغۇر توققۇز كۈن ياغدى، دەريا سۈيى ئىككى مېتىر ئۆرلىدى").as_deref(),
            Some("ug")
        );
        assert_eq!(language("<html lang=da><p>Det regnede i ni dage, og floden er steget til to meter, siger kontoret, og det er ikke slut endnu.").as_deref(), Some("da"));
        assert_eq!(language("<html lang=fr><p>12345").as_deref(), Some("fr"));
        assert_eq!(language("<html lang='{{lang}}'><p>x"), None);
    }

    #[test]
    fn code_made_chinese_pages_english() {
        let code =
            "<pre>fn main() { let rain = harbour.measure(&gauge); println!(\"{rain}\"); }</pre>".repeat(9);
        let text = "<p>港口下了九天雨，花园终于不再干旱，河水上涨了两米。</p>".repeat(3);
        assert_eq!(language(&format!("<html lang=en>{code}{text}")).as_deref(), Some("zh"));
        // Code that is not marked as such.
        let line = "<p>let rain = harbour.measure(&gauge);</p>".repeat(12);
        assert_eq!(language(&format!("<html lang=en>{line}{text}")).as_deref(), Some("zh"));
        // Formulas.
        let formula = "<p>w x = z, w y = 0, where z in w and sum exp x dx</p>".repeat(9);
        let line = "<p>港口下了九天雨，花园终于不再干旱，河水上涨了两米。</p>";
        assert_eq!(language(&format!("<html lang=en>{formula}{line}")).as_deref(), Some("zh"));
        // A few characters among English words are quoted.
        let english =
            "It rained for nine days, and the gardens of the harbour are no longer dry, says the office. ";
        let english = format!("<p>{}雨</p>", english.repeat(12));
        assert_eq!(language(&english).as_deref(), Some("en"));
    }

    #[test]
    fn mails_in_pre_had_no_language() {
        let mail =
            "It rained for nine days, and the gardens of the harbour are no longer dry, says the office.\n";
        assert_eq!(language(&format!("<h1>Re: x</h1><pre>{}</pre>", mail.repeat(3))).as_deref(), Some("en"));
        let code =
            "let rain = harbour.measure(&gauge); println!(\"{rain}\"); drop(rain); while wet { wait(); }\n";
        assert_eq!(language(&format!("<pre>{}</pre>", code.repeat(4))), None);
    }

    #[test]
    fn a_right_tag_was_gainsaid() {
        for (tag, text) in [
            // One letter that many languages have made it French.
            (
                "pt",
                "À noite, à beira do cais, o vento chegou à praça, à igreja, à ponte e à feira; à volta, ninguém quis sair, e à janela ficou o velho pescador a olhar o mar.",
            ),
            (
                "is",
                "Það rigndi í níu daga og garðarnir eru ekki lengur þurrir, segir stofnunin, en áin hefur hækkað um tvo metra við höfnina og brúin er lokuð fyrir umferð.",
            ),
            (
                "sk",
                "Pršalo deväť dní a záhrady už nie sú suché, hovorí úrad, ale rieka stúpla o dva metre a most pri prístave je zatvorený, takže autá musia ísť cez mesto.",
            ),
            (
                "ga",
                "Bhí sé ag cur báistí ar feadh naoi lá agus níl na gairdíní tirim a thuilleadh, a deir an oifig, ach tá an abhainn dhá mhéadar níos airde ag an gcuan agus tá an droichead dúnta.",
            ),
        ] {
            assert_eq!(language(&format!("<html lang={tag}><p>{text}")).as_deref(), Some(tag), "{text}");
        }
    }

    #[test]
    fn neighbours_were_taken_for_each_other() {
        for (expected, text) in [
            (
                "nl",
                "Het regende negen dagen lang en de tuinen zijn niet meer droog, zegt het bureau. De rivier is twee meter gestegen en ook de brug bij de haven is dicht voor het verkeer.",
            ),
            (
                "af",
                "Dit het nege dae lank gereën en die tuine is nie meer droog nie, sê die kantoor. Die rivier het twee meter gestyg en ook die brug by die hawe is toe vir die verkeer.",
            ),
            (
                "sl",
                "Devet dni je deževalo in vrtovi niso več suhi, pravi urad. Reka je narasla za dva metra, most pri pristanišču pa je zaprt za promet, ker je voda zelo visoka.",
            ),
            (
                "hr",
                "Devet dana je padala kiša i vrtovi više nisu suhi, kaže ured. Rijeka je porasla za dva metra, a most kod luke je zatvoren za promet jer je voda vrlo visoka.",
            ),
            (
                "sk",
                "Pršalo deväť dní a záhrady už nie sú suché, hovorí úrad, ale rieka stúpla o dva metre a most pri prístave je zatvorený, takže autá musia ísť cez mesto.",
            ),
            (
                "cs",
                "Pršelo devět dní a zahrady už nejsou suché, říká úřad, ale řeka stoupla o dva metry a most u přístavu je zavřený, takže auta musí jet přes město.",
            ),
            (
                "is",
                "Það rigndi í níu daga og garðarnir eru ekki lengur þurrir, segir stofnunin, en áin hefur hækkað um tvo metra við höfnina og brúin er lokuð fyrir umferð.",
            ),
            // Capitals with marks.
            (
                "fi",
                "ETTÄ SE ON NIIN, HÄN SANOI, MYÖS KUN VETTÄ OLI SATANUT YHDEKSÄN PÄIVÄÄ JA PUUTARHAT EIVÄT OLE ENÄÄ KUIVIA, MUTTA SILTA ON KIINNI",
            ),
        ] {
            assert_eq!(language(&format!("<p>{text}")).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn languages_in_two_scripts_were_told_as_others() {
        for (expected, text) in [
            (
                "sr",
                "Девет дана је падала киша и баште више нису суве, каже завод. Река је порасла за два метра, а мост код луке је затворен за саобраћај, јер је вода врло висока.",
            ),
            (
                "sr",
                "Devet dana je padala kiša i bašte više nisu suve, kaže zavod. Reka je porasla za dva metra, posle čega je most kod luke zatvoren, jer je voda visoka, a gde će ići autobusi, niko ne zna.",
            ),
            (
                "mk",
                "Девет дена врнеше дожд и градините веќе не се суви, вели заводот. Реката се покачи за два метри, а мостот кај пристаништето е затворен за сообраќај, бидејќи водата е многу висока.",
            ),
            (
                "bg",
                "Девет дни валя дъжд и градините вече не са сухи, казва службата. Реката се покачи с два метра, а мостът при пристанището е затворен за движение, защото водата е много висока.",
            ),
            (
                "be",
                "Дзевяць дзён ішоў дождж, і сады ўжо не сухія, кажа служба. Рака паднялася на два метры, а мост каля порта зачынены для руху, бо вада вельмі высокая, і ўсе чакаюць.",
            ),
            (
                "tg",
                "Нӯҳ рӯз борон борид ва боғҳо дигар хушк нестанд, мегӯяд идора. Оби дарё ду метр боло рафт ва пули назди бандар барои ҳаракат баста аст.",
            ),
            (
                "ky",
                "Тогуз күн жамгыр жаады, бактар эми кургак эмес, дейт кызмат. Дарыянын суусу эки метрге көтөрүлдү, порттун жанындагы көпүрө жабык, анткени суунун деңгээли өтө бийик.",
            ),
            (
                "kk",
                "Тоғыз күн жаңбыр жауды, бақтар енді құрғақ емес, дейді қызмет. Өзен суы екі метрге көтерілді, порттың жанындағы көпір жабық.",
            ),
            (
                "ug",
                "Toqquz kün yamghur yaghdi we baghlar emdi qurghaq emes, deydu idare. Derya süyi ikki métir örlidi, port yénidiki köwrük qatnash üchün taqaldi, bu heqqide kéyin yéngi uchur bolghan.",
            ),
            (
                "kk-Arab",
                "توعىز كۇن جاڭبىر جاۋدى، باقتار ەندى قۇرعاق ەمەس، دەيدى قىزمەت. وزەن سۋى ەكى مەترگە كوتەرىلدى، ٴبىر كوپىر جابىق، سەبەبى سۋ وتە ٴجوعارى، ٴبىراق ەرتەڭ ٴتۇسەدى.",
            ),
        ] {
            assert_eq!(language(&format!("<p>{text}")).as_deref(), Some(expected), "{text}");
        }
        assert_eq!((direction("kk-Arab"), direction("kk"), direction("az-Latn")), ("rtl", "ltr", "ltr"));
    }

    #[test]
    fn letters_as_they_look_hid_uyghur() {
        let forms = "<p>ﻳﺎﻣﻐﯘﺭ ﺗﻮﻗﻘﯘﺯ ﻛﯜﻥ ﻳﺎﻏﺪﻯ، ﺩەﺭﻳﺎ ﺳﯜﻳﻰ ﺋﻰﻛﻜﻰ ﻣﯧﺘﯩﺮ ﺋﯚﺭﻟﯩﺪﻯ";
        assert_eq!(language(forms).as_deref(), Some("ug"));
    }

    #[test]
    fn two_sentences_tell_the_language() {
        let sentences = [
            (
                "en",
                "It rained for nine days, and the gardens of the harbour are no longer dry, says the office. The river has risen by two metres, and the bridge is closed.",
            ),
            (
                "de",
                "Nach neun Tagen Regen sind die Gärten am Hafen nicht mehr trocken. Das Amt sagt, dass die Brücke bis Freitag gesperrt bleibt.",
            ),
            (
                "fr",
                "Après neuf jours de pluie, les jardins du port ne sont plus secs. Le bureau annonce que le pont restera fermé jusqu'à vendredi.",
            ),
            (
                "es",
                "Después de nueve días de lluvia, los jardines del puerto ya no están secos. La oficina anuncia que el puente seguirá cerrado hasta el viernes.",
            ),
            (
                "it",
                "Dopo nove giorni di pioggia i giardini del porto non sono più asciutti. L'ufficio annuncia che il ponte resterà chiuso fino a venerdì.",
            ),
            (
                "pt",
                "Depois de nove dias de chuva, os jardins do porto já não estão secos. A repartição anuncia que a ponte ficará fechada até sexta-feira.",
            ),
            (
                "nl",
                "Na negen dagen regen zijn de tuinen aan de haven niet meer droog. Het bureau meldt dat de brug tot vrijdag gesloten blijft.",
            ),
            (
                "sv",
                "Efter nio dagars regn är trädgårdarna vid hamnen inte längre torra. Kontoret säger att bron förblir stängd till fredag.",
            ),
            (
                "da",
                "Efter ni dages regn er haverne ved havnen ikke længere tørre. Kontoret siger, at broen forbliver lukket til fredag, og at vandet er steget to meter.",
            ),
            (
                "nb",
                "Etter ni dager med regn er hagene ved havnen ikke lenger tørre. Kontoret sier at broen forblir stengt til fredag, og at vannet har steget to meter.",
            ),
            (
                "is",
                "Eftir níu daga rigningu eru garðarnir við höfnina ekki lengur þurrir. Stofnunin segir að brúin verði lokuð fram á föstudag.",
            ),
            (
                "fi",
                "Yhdeksän päivän sateen jälkeen sataman puutarhat eivät ole enää kuivia. Virasto kertoo, että silta pysyy suljettuna perjantaihin asti.",
            ),
            (
                "pl",
                "Po dziewięciu dniach deszczu ogrody przy porcie nie są już suche. Urząd podaje, że most pozostanie zamknięty do piątku.",
            ),
            (
                "cs",
                "Po devíti dnech deště už zahrady u přístavu nejsou suché. Úřad oznámil, že most zůstane uzavřený do pátku, protože voda stále stoupá.",
            ),
            (
                "sk",
                "Po deviatich dňoch dažďa už záhrady pri prístave nie sú suché. Úrad oznámil, že most zostane zatvorený do piatka, lebo voda stále stúpa.",
            ),
            (
                "hu",
                "Kilenc nap eső után a kikötő kertjei már nem szárazak. A hivatal szerint a híd péntekig zárva marad, mert a víz még mindig emelkedik.",
            ),
            (
                "ro",
                "După nouă zile de ploaie, grădinile de lângă port nu mai sunt uscate. Biroul anunță că podul va rămâne închis până vineri.",
            ),
            (
                "tr",
                "Dokuz gün süren yağmurdan sonra limandaki bahçeler artık kuru değil. Müdürlük köprünün cuma gününe kadar kapalı kalacağını duyurdu.",
            ),
            (
                "id",
                "Setelah sembilan hari hujan, kebun di dekat pelabuhan tidak lagi kering. Kantor mengumumkan bahwa jembatan akan ditutup sampai hari Jumat.",
            ),
            (
                "vi",
                "Sau chín ngày mưa, những khu vườn gần bến cảng không còn khô nữa. Văn phòng thông báo cây cầu sẽ đóng cửa đến thứ sáu.",
            ),
            (
                "hr",
                "Nakon devet dana kiše vrtovi kod luke više nisu suhi. Ured javlja da će most ostati zatvoren do petka, jer rijeka i dalje raste, a prije toga nitko ne smije prijeći.",
            ),
            (
                "sr",
                "Posle devet dana kiše bašte kod luke više nisu suve. Zavod javlja da će most ostati zatvoren do petka, jer reka i dalje raste, a pre toga niko ne sme da pređe.",
            ),
            (
                "sl",
                "Po devetih dneh dežja vrtovi ob pristanišču niso več suhi. Urad sporoča, da bo most zaprt do petka, ker voda še vedno narašča.",
            ),
            (
                "lt",
                "Po devynių dienų lietaus uosto sodai jau nebėra sausi. Tarnyba praneša, kad tiltas bus uždarytas iki penktadienio, nes vanduo vis dar kyla.",
            ),
            (
                "lv",
                "Pēc deviņu dienu lietus ostas dārzi vairs nav sausi. Pārvalde ziņo, ka tilts būs slēgts līdz piektdienai, jo ūdens joprojām ceļas.",
            ),
            (
                "et",
                "Pärast üheksat päeva vihma ei ole sadama aiad enam kuivad. Amet teatab, et sild jääb reedeni suletuks, sest vesi tõuseb ikka veel.",
            ),
            (
                "ca",
                "Després de nou dies de pluja, els jardins del port ja no estan secs. L'oficina anuncia que el pont continuarà tancat fins divendres, perquè l'aigua encara puja.",
            ),
            (
                "sq",
                "Pas nëntë ditësh shi, kopshtet pranë portit nuk janë më të thata. Zyra njofton se ura do të mbetet e mbyllur deri të premten.",
            ),
            (
                "af",
                "Ná nege dae se reën is die tuine by die hawe nie meer droog nie. Die kantoor sê dat die brug tot Vrydag gesluit bly.",
            ),
            (
                "sw",
                "Baada ya siku tisa za mvua, bustani za bandari si kavu tena. Ofisi inasema kwamba daraja litafungwa hadi Ijumaa kwa sababu maji ya mto yanapanda.",
            ),
            (
                "eu",
                "Bederatzi eguneko euriaren ondoren, portuko lorategiak ez dira jada lehorrak. Bulegoak dio zubia ostiralera arte itxita egongo dela, eta ura oraindik igotzen ari da.",
            ),
            (
                "ro",
                "Guvernul a anunțat luni că prețurile la energie vor crește în această iarnă. Oamenii din oraș spun că nu au primit nicio veste de la primărie.",
            ),
            (
                "pt",
                "O governo anunciou na segunda-feira que os preços vão subir. Os moradores dizem que não receberam nenhuma notícia da câmara.",
            ),
            (
                "tr",
                "Belediye pazartesi günü fiyatların artacağını açıkladı. Şehirde yaşayanlar henüz hiçbir haber almadıklarını söylüyor.",
            ),
            (
                "vi",
                "Thành phố cho biết giá điện sẽ tăng vào mùa đông. Người dân nói họ chưa nhận được tin nào.",
            ),
            (
                "cs",
                "Město v pondělí oznámilo, že ceny porostou. Lidé říkají, že zatím nedostali žádnou zprávu, a čekají na rozhodnutí rady.",
            ),
            (
                "nl",
                "De gemeente maakte maandag bekend dat de prijzen stijgen. De bewoners zeggen dat ze nog geen bericht hebben gekregen.",
            ),
            (
                "ru",
                "Девять дней шёл дождь, и сады у гавани больше не сухие. Служба сообщает, что мост останется закрытым до пятницы, потому что вода поднимается.",
            ),
            (
                "uk",
                "Дев'ять днів ішов дощ, і сади біля гавані вже не сухі. Служба повідомляє, що міст буде зачинений до п'ятниці, бо вода піднімається.",
            ),
            (
                "el",
                "Ύστερα από εννέα ημέρες βροχής οι κήποι στο λιμάνι δεν είναι πια ξεροί. Η υπηρεσία λέει ότι η γέφυρα μένει κλειστή.",
            ),
            (
                "ar",
                "بعد تسعة أيام من المطر لم تعد حدائق الميناء جافة. وقال المكتب إن الجسر سيبقى مغلقا حتى يوم الجمعة.",
            ),
            (
                "fa",
                "پس از نه روز باران باغ‌های بندر دیگر خشک نیستند. اداره می‌گوید پل تا جمعه بسته می‌ماند و آب بالا می‌آید.",
            ),
            (
                "he",
                "אחרי תשעה ימי גשם הגנים ליד הנמל כבר אינם יבשים. המשרד מודיע כי הגשר יישאר סגור עד יום שישי.",
            ),
            ("hi", "नौ दिन की बारिश के बाद बंदरगाह के बगीचे अब सूखे नहीं हैं। कार्यालय ने कहा कि पुल शुक्रवार तक बंद रहेगा।"),
            ("th", "หลังฝนตกเก้าวันสวนใกล้ท่าเรือก็ไม่แห้งอีกต่อไป สำนักงานแจ้งว่าสะพานจะปิดจนถึงวันศุกร์"),
            (
                "ja",
                "九日間の雨のあと、港の庭はもう乾いていません。役所によると、橋は金曜日まで閉鎖されたままです。",
            ),
            (
                "ko",
                "아흐레 동안 비가 내린 뒤 항구의 정원은 더 이상 마르지 않았다. 관청은 다리가 금요일까지 닫혀 있을 것이라고 밝혔다.",
            ),
            ("zh", "港口下了九天雨，花园终于不再干旱。办公室说，大桥将关闭到星期五，因为河水还在上涨。"),
        ];
        let mut wrong = Vec::new();
        for (expected, text) in sentences {
            for html in [format!("<p>{text}"), format!("<html lang=en><p>{text}")] {
                let found = language(&html);
                if found.as_deref() != Some(expected) {
                    wrong.push(format!("{found:?} instead of {expected}: {html}"));
                }
            }
        }
        let languages: std::collections::HashSet<&str> =
            sentences.iter().map(|(language, _)| *language).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(languages.len() >= 40, "{}", languages.len());
    }

    #[test]
    fn a_few_words_tell_the_language_where_no_tag_does() {
        for (expected, text) in [
            (
                "es",
                "Anoche ardió la vieja fábrica. Los bomberos trabajaron seis horas y nadie resultó herido.",
            ),
            (
                "it",
                "Ieri sera è bruciata la vecchia fabbrica. I pompieri hanno lavorato sei ore e nessuno è rimasto ferito.",
            ),
            ("pt", "A menina perdeu o gato na rua. Os vizinhos ajudaram a procurar durante a noite."),
            (
                "lt",
                "Vakar vakare degė senas fabrikas. Ugniagesiai dirbo šešias valandas ir niekas nenukentėjo.",
            ),
        ] {
            assert_eq!(language(&format!("<p>{text}")).as_deref(), Some(expected), "{text}");
        }
        // "AI" is no Italian word.
        let list = "<p>Top software: Meta AI, Harbour AI, Rain AI, Tune AI, Quay AI, Path AI, Lark AI. Compare your score.";
        assert_ne!(language(&format!("<html lang=en>{}", list.repeat(3))).as_deref(), Some("it"));
        assert_eq!(language("<p>Harbour Gazette 2010 Ada Quay Bo Mole Cy Pier Dee Wharf Ed Jetty"), None);
    }

    #[test]
    fn tags_in_capitals() {
        assert_eq!(tag("EN").as_deref(), Some("en"));
        assert_eq!(tag("zh_hans_cn").as_deref(), Some("zh-Hans-CN"));
        assert_eq!(tag("EN-us").as_deref(), Some("en-US"));
        assert_eq!(tag("in-ID").as_deref(), Some("id-ID"), "a code that was given up");
        assert_eq!((tag("iw").as_deref(), tag("jp").as_deref()), (Some("he"), Some("ja")));
        assert_eq!(tag("es-419").as_deref(), Some("es-419"));
    }

    #[test]
    fn directions() {
        assert_eq!((direction("ug"), direction("zh-CN"), direction("ar-EG")), ("rtl", "ltr", "rtl"));
    }
}

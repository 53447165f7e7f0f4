//! Nouns for a time, and what stands beside them: 时间 alone is that of the page, 更新时间 is that of its last change, and
//! 活动时间 is none of both. So a noun is a label of its own only where nothing qualifies it; else its qualifier decides,
//! and one that is not known speaks of something else.

use super::labels::Label;

/// The nouns, in small letters.
pub(super) const NOUNS: &[&str] = &["date:", "data:", "datum", "дата", "时间", "時間", "日期"];

/// Parts of qualifiers that speak of something else, though a word of the other lists may stand beside them.
const OTHER: &[&str] = &[
    "next",
    "birth",
    "geburt",
    "event",
    "veranstaltung",
    "expir",
    "рожден",
    "评论",
    "評論",
    "回复",
    "回覆",
    "截止",
    "活动",
    "活動",
    "登录",
    "登入",
    "访问",
    "发布会",
];

const FIRST: &[&str] = &["首次", "首发", "首發", "original", "ursprung", "ursprüng"];

const MODIFIED: &[&str] = &[
    "updat",
    "modif",
    "chang",
    "edit",
    "revis",
    "review",
    "änder",
    "aktualis",
    "bearbeit",
    "wijzig",
    "ändr",
    "ændr",
    "endr",
    "upprav",
    "úprav",
    "zmian",
    "изменен",
    "обновлен",
    "оновлен",
    "更新",
    "修改",
    "编辑",
    "編輯",
    "修订",
    "修訂",
    "变更",
    "變更",
    "最后",
    "最後",
];

const PUBLISHED: &[&str] = &[
    "publi",
    "post",
    "releas",
    "issue",
    "creat",
    "article",
    "story",
    "news",
    "writ",
    "report",
    "veröffentlich",
    "erschein",
    "erstell",
    "artikel",
    "beitrag",
    "udgivelse",
    "vydán",
    "zveřejn",
    "dodan",
    "utworzen",
    "objav",
    "inserimento",
    "публик",
    "публік",
    "создан",
    "размещ",
    "добавлен",
    "новост",
    "发布",
    "發布",
    "发佈",
    "發佈",
    "发表",
    "發表",
    "发稿",
    "發稿",
    "发文",
    "發文",
    "发帖",
    "發帖",
    "刊发",
    "刊登",
    "刊出",
    "出版",
    "上传",
    "上傳",
    "录入",
    "添加",
    "创建",
    "創建",
    "报道",
    "報道",
    "新闻",
    "新聞",
    "文章",
    "信息",
    "入库",
    "播出",
    "上线",
    "推送",
    "公布",
    "公告",
    "成文",
    "稿件",
    "原文",
    "见报",
    "印发",
    "公开",
    "公開",
    "生成",
    "本文",
    "撰写",
    "写作",
    "投稿",
    "掲載",
    "作成",
];

/// Words that qualify nothing.
const FILLERS: &[&str] = &[
    "the",
    "of",
    "on",
    "in",
    "a",
    "and",
    "time",
    "und",
    "uhrzeit",
    "zeit",
    "der",
    "des",
    "von",
    "vom",
    "am",
    "и",
    "время",
    "та",
    "час",
    "en",
    "tijd",
    "tid",
    "klokkeslæt",
    "čas",
];

/// Before these, a time is that of a place: 北京时间.
const OF_PLACES: &[&str] = &["北京", "当地", "當地", "台北", "臺北", "香港", "东部", "本地", "标准", "標準"];

/// What a noun at `at`, `length` bytes long, says with all that stands around it. `text` ends where the date begins; `small`
/// is the same in small letters, and `at` a place in it.
pub(super) fn meaning(text: &str, small: &str, at: usize, length: usize) -> Option<Label> {
    let (before, behind) = (&small[..at], &small[at + length..]);
    if small[at..].starts_with(is_wide) {
        return wide(before);
    }
    let is_part = |c: char| c.is_alphabetic() || matches!(c, '-' | '\'' | '’');
    if before.ends_with(is_part) {
        // Geburtsdatum
        let word = before.rfind(|c| !is_part(c)).map_or(before, |end| before[end..].trim_start());
        return Some(known(word.trim_start_matches(|c| !is_part(c))).unwrap_or(Label::Other));
    }
    // Дата рождения: the words up to a colon.
    let has_colon = small[at..at + length].ends_with(':');
    let qualifier =
        if has_colon { "" } else { behind.split([':', '：', ',', '(', '|']).next().unwrap_or("") };
    if let Some(word) = words(qualifier).next() {
        let first = known(qualifier);
        let is_short = words(qualifier).count() <= 3 && word.chars().all(is_part);
        return first.or(is_short.then_some(Label::Other)).or(Some(Label::Published));
    }
    // "Birth date:": the words since the last sign.
    let phrase = before.rsplit(|c: char| !(is_part(c) || c == ' ')).next().unwrap_or_default();
    if words(phrase).next().is_none() {
        return Some(Label::Published);
    }
    if let Some(label) = known(phrase) {
        return Some(label);
    }
    // "Ada Miller Date:" is a name before a label.
    let noun = &small[at..at + length];
    let mut capital = noun.chars();
    let capital: String = capital.next().into_iter().flat_map(char::to_uppercase).chain(capital).collect();
    let begins_anew = text.contains(&capital) && words(phrase).count() > 1;
    Some(if begins_anew { Label::Published } else { Label::Other })
}

/// What stands before a noun in Chinese characters, without a space between.
fn wide(before: &str) -> Option<Label> {
    const LONGEST: usize = 6;
    let start = before.char_indices().rev().take_while(|(_, c)| is_wide(*c)).last();
    let run = start.map_or("", |(start, _)| &before[start..]);
    if run.is_empty() {
        return Some(Label::Published);
    }
    if OF_PLACES.iter().any(|place| run.ends_with(place)) {
        return None;
    }
    // The end of another label's value, or of a headline: only what stands close by may qualify.
    let is_value = before[..before.len() - run.len()].trim_end().ends_with([':', '：']);
    let count = run.chars().count();
    if is_value || count > LONGEST {
        let near = run.char_indices().rev().take(4).last().map_or(0, |(start, _)| start);
        return Some(known(&run[near..]).unwrap_or(Label::Published));
    }
    Some(known(run).unwrap_or(Label::Other))
}

fn known(qualifier: &str) -> Option<Label> {
    let lists = [
        (OTHER, Label::Other),
        (FIRST, Label::First),
        (MODIFIED, Label::Modified),
        (PUBLISHED, Label::Published),
    ];
    lists.into_iter().find(|(list, _)| list.iter().any(|it| qualifier.contains(it))).map(|(_, label)| label)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty() && !FILLERS.contains(word))
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}')
}

#[cfg(test)]
mod tests {
    use super::super::labels::label;
    use super::*;

    #[test]
    fn the_noun_beat_its_qualifier() {
        use Label::{Modified, Other, Published};
        for (before, expected) in [
            ("时间：", Some(Published)),
            ("发布时间：", Some(Published)),
            ("發佈日期：", Some(Published)),
            ("新闻时间：", Some(Published)),
            ("来源：海港网 时间：", Some(Published)),
            ("来源：海港网时间：", Some(Published)),
            ("来源：海港网更新时间：", Some(Modified)),
            ("关于港口下雨的通知时间：", Some(Published)),
            ("更新时间：", Some(Modified)),
            ("修改时间：", Some(Modified)),
            ("更新日期：", Some(Modified)),
            ("编辑时间：", Some(Modified)),
            ("最后更新時間：", Some(Modified)),
            ("发布时间：2010-12-15 | 修改时间：", Some(Modified)),
            ("截止时间：", Some(Other)),
            ("活动时间：", Some(Other)),
            ("报名时间：", Some(Other)),
            ("出生日期：", Some(Other)),
            ("评论时间：", Some(Other)),
            ("回复时间：", Some(Other)),
            ("评论发表时间：", Some(Other)),
            ("当前时间：", Some(Other)),
            ("成立日期：", Some(Other)),
            ("出发时间：", Some(Other)),
            ("北京时间", None),
            ("Datum: ", Some(Published)),
            ("Datum: Montag, ", Some(Published)),
            ("Datum und Uhrzeit: ", Some(Published)),
            ("Veröffentlichungsdatum: ", Some(Published)),
            ("Publicatiedatum: ", Some(Published)),
            ("Datum der Veröffentlichung: ", Some(Published)),
            ("Geburtsdatum: ", Some(Other)),
            ("Veranstaltungsdatum: ", Some(Other)),
            ("Änderungsdatum: ", Some(Modified)),
            ("Дата: ", Some(Published)),
            ("Дата публикации: ", Some(Published)),
            ("Дата и время: ", Some(Published)),
            ("Дата рождения: ", Some(Other)),
            ("Дата обновления: ", Some(Modified)),
            ("Date: ", Some(Published)),
            ("Ada Miller Date: ", Some(Published)),
            ("By Ada Miller, date: ", Some(Published)),
            ("Article date: ", Some(Published)),
            ("Birth date: ", Some(Other)),
            ("Expiry Date: ", Some(Other)),
            ("Moon landing date: ", Some(Other)),
            ("Last update date: ", Some(Modified)),
            ("Next review date: ", Some(Other)),
        ] {
            assert_eq!(label(before, ""), expected, "{before}");
        }
    }
}

//! Bylines of Chinese news: 作者：, 文｜, 本报记者, （记者…）, 责任编辑：.

use super::super::evidence::Field;
use super::names::{is_east_asian, name};

/// What stands before names, with the mark that ends it.
const LABELS: &[(&str, Field)] = &[
    ("责任编辑", Field::Editor),
    ("責任編輯", Field::Editor),
    ("责编", Field::Editor),
    ("編集", Field::Editor),
    ("编辑", Field::Editor),
    ("編輯", Field::Editor),
    ("作者", Field::Author),
    ("作 者", Field::Author),
    ("撰文", Field::Author),
    ("撰稿", Field::Author),
    ("文字", Field::Author),
    ("執筆", Field::Author),
    ("著者", Field::Author),
    ("ライター", Field::Author),
    ("记者", Field::Author),
    ("記者", Field::Author),
    ("通讯员", Field::Author),
    ("通訊員", Field::Author),
    ("文", Field::Author),
];

/// Marks between a label and a name.
const MARKS: [char; 6] = ['：', ':', '｜', '|', '/', '丨'];

/// The hundred commonest family names, and some of two characters: what stands behind 记者 without a mark is a name only if
/// it begins with one.
const FAMILIES: &str = "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林高罗羅郑鄭梁谢謝宋唐许許韩韓邓鄧冯馮曹彭曾肖蕭萧田董潘袁蔡蒋蔣余于杜叶葉程魏苏蘇吕呂丁任卢盧姚沈钟鍾姜崔谭譚陆陸范汪廖石金韦韋贾賈夏付方邹鄒熊白孟秦邱侯江尹薛闫閻段雷龙龍史陶贺賀毛郝顾顧龚龔邵万萬覃武钱錢戴严嚴莫孔向常汤湯施洪柳季俞郎欧歐乔喬温溫倪";

/// Does one of [`LABELS`] begin so? Few characters of a line do.
fn begins_a_label(c: char) -> bool {
    matches!(c, '责' | '責' | '編' | '编' | '作' | '撰' | '文' | '執' | '著' | 'ラ' | '记' | '記' | '通')
}

/// The names in a line, each with what the label makes of them.
pub(super) fn labelled(text: &str) -> Vec<(Field, String)> {
    let mut found = Vec::new();
    if !text.chars().any(is_east_asian) {
        return found;
    }
    let mut until = 0;
    for (at, first) in text.char_indices() {
        if at < until || !begins_a_label(first) {
            continue;
        }
        let rest = &text[at..];
        let Some((label, field)) = LABELS.iter().find(|(label, _)| rest.starts_with(label)) else { continue };
        let behind = rest[label.len()..].trim_start_matches([' ', '\u{3000}']);
        if let Some(names) = behind.strip_prefix(MARKS) {
            // 文 alone is the last character of many words.
            let is_word = *label == "文" && text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
            if !is_word {
                found.extend(marked(names).into_iter().map(|name| (*field, name)));
            }
        } else if matches!(*label, "记者" | "記者" | "通讯员" | "通訊員") {
            found.extend(reporters(behind).into_iter().map(|name| (*field, name)));
        }
        until = at + label.len();
    }
    found
}

/// The names behind a mark, up to where something else begins.
fn marked(text: &str) -> Vec<String> {
    let mut rest = text.trim_start();
    // [美]约翰, 【李明】: a country goes, brackets around a name too.
    if let Some(inner) = rest.strip_prefix(['[', '【', '(', '（', '〔', '［']) {
        let end = inner.find([']', '】', ')', '）', '〕', '］']).unwrap_or(inner.len());
        let behind = inner[end..].trim_start_matches([']', '】', ')', '）', '〕', '］']).trim_start();
        let is_name = behind.chars().next().is_none_or(|c| !c.is_alphabetic());
        rest = if is_name { &inner[..end] } else { behind };
    }
    // 甲明 乙芳、丙雷: a space between names, where others are told apart by a mark.
    let line = rest
        .split(['|', '｜', '）', ')', '】', ']', '（', '(', '，', '。', '；', ';', ':', '：'])
        .next()
        .unwrap_or_default();
    let words: Vec<&str> = line.split([' ', '\u{3000}', '、']).filter(|word| !word.is_empty()).collect();
    if line.contains('、') && (2..=6).contains(&words.len()) && words.iter().all(|word| is_short(word)) {
        return words.into_iter().filter_map(name).collect();
    }
    // 李明 王芳 张雷: with spaces alone, as long as each begins with a family's name.
    let several: Vec<&str> = words.iter().copied().take_while(|word| is_reporter(word)).collect();
    if !line.contains('、') && (2..=6).contains(&several.len()) {
        return several.into_iter().filter_map(name).collect();
    }
    let end = rest
        .find([
            ' ', '\u{3000}', '|', '｜', '）', ')', '】', ']', '（', '(', '【', '[', '，', '。', '来', '\t',
            '发', '时', '；', ';',
        ])
        .unwrap_or(rest.len());
    rest[..end].split(['、', '/', '&', ',']).filter_map(name).collect()
}

/// Two to four Chinese characters, as names of people have.
fn is_short(word: &str) -> bool {
    word.chars().all(is_east_asian) && (2..=4).contains(&word.chars().count())
}

/// The names behind 记者, where nothing marks them off: all of them must look like names, up to a bracket, the end of the
/// line, or a word for reporting.
fn reporters(text: &str) -> Vec<String> {
    let end = text.find(['）', ')', '】', ']', '|', '｜', '/', '／', '\n']).unwrap_or(text.len());
    // 记者 王小明 通讯员 李雷: the next label has its own.
    let end = ["通讯员", "通訊員"].iter().filter_map(|label| text[..end].find(label)).min().unwrap_or(end);
    let head = &text[..end];
    // 记者王小明/摄: who took the picture. 记者王小明 文/摄 wrote as well.
    let is_of_picture = |word: &str| word.starts_with(['摄', '攝']);
    if is_of_picture(text[end..].trim_start_matches(['/', '／', ' '])) && !head.trim_end().ends_with('文') {
        return Vec::new();
    }
    let mut names = Vec::new();
    for (place, word) in head.split([' ', '\u{3000}', '、']).filter(|word| !word.is_empty()).enumerate() {
        let is_report = |word: &str| {
            word.contains(|c: char| c.is_ascii_digit())
                || ["报道", "報導", "電", "电", "讯", "訊", "摄", "摄影", "文"]
                    .iter()
                    .any(|it| word.ends_with(it))
        };
        let is_picture = ["摄影", "攝影", "摄", "攝"].iter().any(|it| word.ends_with(it));
        if is_picture && !word.contains('文') {
            return Vec::new();
        }
        if place > 0 && is_report(word) {
            break;
        }
        // 李明报道
        let word = ["报道", "報導"].iter().find_map(|it| word.strip_suffix(it)).unwrap_or(word);
        if !is_reporter(word) {
            // A sentence: 记者了解到.
            return Vec::new();
        }
        names.push(word.to_owned());
    }
    if names.len() > 6 { Vec::new() } else { names }
}

/// The names in 王乐文 方 敏: spaces between them, and inside of those of two characters, which are so as wide as those of three. All
/// of them must begin with a family's name.
pub(super) fn spaced(text: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = text.split([' ', '\u{3000}']).filter(|word| !word.is_empty()).collect();
    if !(2..=12).contains(&words.len()) {
        return None;
    }
    let mut names: Vec<String> = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let is_half = word.chars().count() == 1;
        let name = if is_half {
            format!("{word}{}", words.next().filter(|it| it.chars().count() == 1)?)
        } else {
            word.to_owned()
        };
        names.push(name);
    }
    names.iter().all(|name| is_reporter(name)).then_some(names)
}

fn is_reporter(word: &str) -> bool {
    let length = word.chars().count();
    let is_own = word.contains('·') && length <= 16;
    let begins = word.chars().next().is_some_and(|first| FAMILIES.contains(first));
    word.chars().all(|c| is_east_asian(c) || c == '·') && (is_own || (begins && (2..=3).contains(&length)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn authors(text: &str) -> Vec<String> {
        labelled(text)
            .into_iter()
            .filter(|(field, _)| *field == Field::Author)
            .map(|(_, name)| name)
            .collect()
    }

    #[test]
    fn all_labels_pass_the_first_look() {
        for (label, _) in LABELS {
            assert!(label.starts_with(begins_a_label), "{label}");
        }
    }

    #[test]
    fn reporters_without_a_mark_were_not_read() {
        assert_eq!(authors("本报记者 李明"), ["李明"]);
        assert_eq!(authors("本报记者 李明 王芳"), ["李明", "王芳"]);
        assert_eq!(authors("（记者李明、王芳）"), ["李明", "王芳"]);
        assert_eq!(authors("記者李明／海港報導"), ["李明"]);
        assert_eq!(authors("港口五月三日电（记者 李明）"), ["李明"]);
        assert_eq!(authors("本报记者 李明 港口报道"), ["李明"]);
        assert_eq!(authors("作者：李明 王芳、张雷"), ["李明", "王芳", "张雷"]);
        assert_eq!(authors("作者：李明 王芳 张雷"), ["李明", "王芳", "张雷"]);
        assert_eq!(authors("作者：李明 王芳 2010-12-15 来源：港口日报"), ["李明", "王芳"]);
        assert_eq!(authors("作者：李明　王芳 浏览次数：12"), ["李明", "王芳"]);
        assert_eq!(authors("作者：李明 浏览次数：12"), ["李明"]);
        assert_eq!(authors("作者：李明 来源：港口日报"), ["李明"]);
        assert_eq!(authors("文｜李明"), ["李明"]);
        assert_eq!(authors("文/李明"), ["李明"]);
        assert_eq!(authors("執筆：山田太郎"), ["山田太郎"]);
        assert_eq!(authors("ライター：山田花子"), ["山田花子"]);
        assert_eq!(authors("记者了解到，港口下雨了"), [""; 0]);
        assert_eq!(authors("记者获悉 港口下雨"), [""; 0]);
        assert_eq!(authors("中文/英文"), [""; 0]);
    }

    #[test]
    fn a_correspondent_beside_a_reporter_took_both_away() {
        assert_eq!(authors("本报记者 王小明 通讯员 李雷"), ["王小明", "李雷"]);
        assert_eq!(authors("（记者王小明 通讯员李雷）"), ["王小明", "李雷"]);
        assert_eq!(authors("通讯员 李雷"), ["李雷"]);
        assert_eq!(authors("通讯员说，港口下雨了"), [""; 0]);
    }

    #[test]
    fn brackets_were_taken_for_parts_of_names() {
        assert_eq!(authors("作者：李明（港口大学）"), ["李明"]);
        assert_eq!(authors("作者：[美]约翰"), ["约翰"]);
        assert_eq!(authors("作者：【李明】"), ["李明"]);
    }

    #[test]
    fn who_took_the_picture_was_an_author() {
        assert_eq!(authors("记者王小明/摄"), [""; 0]);
        assert_eq!(authors("（记者王小明摄）"), [""; 0]);
        assert_eq!(authors("本报记者 王小明 摄"), [""; 0]);
        assert_eq!(authors("本报记者 王小明 文/摄"), ["王小明"]);
        assert_eq!(authors("记者王小明/文 李雷/摄"), ["王小明"]);
    }

    #[test]
    fn two_editors_were_one() {
        let editors: Vec<String> =
            labelled("责任编辑：李雷、韩梅").into_iter().map(|(_, name)| name).collect();
        assert_eq!(editors, ["李雷", "韩梅"]);
        assert!(labelled("责任编辑：李雷、韩梅").iter().all(|(field, _)| *field == Field::Editor));
    }
}

//! The words that sites put around a text and into it, in small letters: what leads on, what lies before and behind, what shares,
//! who made it. A word alone decides nothing: each list belongs to a rule that asks for a place and for links as well.

/// What stands before links to other texts of a site.
pub(super) const MORE: &[&str] = &[
    // English
    "also read",
    "also see",
    "also on",
    "further reading",
    "more on this",
    "more from",
    "read also",
    "read more",
    "read next",
    "recommended reading",
    "related",
    "see also",
    "you may also like",
    "you might also like",
    // Chinese, both scripts
    "关联阅读",
    "更多阅读",
    "更多新闻",
    "扩展阅读",
    "拓展阅读",
    "推荐阅读",
    "相关报道",
    "相关新闻",
    "相关文章",
    "相关阅读",
    "延伸阅读",
    "阅读更多",
    "更多閱讀",
    "推薦閱讀",
    "相關報導",
    "相關新聞",
    "相關文章",
    "相關閱讀",
    "延伸閱讀",
    "閱讀更多",
    // Uyghur
    "مۇناسىۋەتلىك",
    "ئالاقىدار",
    "داۋامىنى ئوقۇش",
    // German
    "auch interessant",
    "lesen sie auch",
    "lesen sie mehr",
    "lesen sie hier",
    "lies auch",
    "mehr dazu",
    "mehr zum thema",
    "siehe auch",
    // French
    "à lire aussi",
    "a lire aussi",
    "à lire également",
    "lire aussi",
    "lire la suite",
    "sur le même sujet",
    "voir aussi",
    // Spanish
    "artículos relacionados",
    "lea también",
    "leer más",
    "lee también",
    "lee más",
    "te puede interesar",
    "ver también",
    "véase también",
    // Russian, Ukrainian
    "по теме",
    "смотрите также",
    "читайте также",
    "читать далее",
    "читайте також",
    // Japanese, Korean
    "あわせて読みたい",
    "関連記事",
    "関連リンク",
    "合わせて読みたい",
    "관련기사",
    "관련 기사",
    "더보기",
    // Turkish
    "ayrıca bakınız",
    "ilgili haber",
    "bunları da okuyun",
    // Portuguese, Italian
    "leia também",
    "leia mais",
    "saiba mais",
    "veja também",
    "leggi anche",
    "leggi tutto",
    "potrebbe interessarti",
    "vedi anche",
    // Arabic
    "اقرأ أيضا",
    "اقرأ أيضًا",
    "اقرأ المزيد",
    "مواضيع ذات صلة",
    "شاهد أيضا",
    // Others
    "lees ook",
    "läs också",
    "les også",
    "czytaj także",
    "czytaj też",
    "baca juga",
    "xem thêm",
];

/// Those of them by which works refer to parts of themselves as well, and texts to what they tell of.
pub(super) const REFERS: &[&str] = &[
    "also see",
    "further reading",
    "related",
    "see also",
    "siehe auch",
    "voir aussi",
    "ver también",
    "véase también",
    "veja também",
    "vedi anche",
    "смотрите также",
    "ayrıca bakınız",
    "関連記事",
    "相关阅读",
    "延伸阅读",
    "相關閱讀",
    "延伸閱讀",
];

/// What names the neighbours of a page among others of its kind.
pub(super) const NEIGHBOURS: &[&str] = &[
    "上一篇",
    "下一篇",
    "上一条",
    "下一条",
    "上一條",
    "下一條",
    "上一则",
    "下一则",
    "上一主题",
    "下一主题",
    "上篇",
    "下篇",
    "前一篇",
    "后一篇",
    "後一篇",
    "ئالدىنقى",
    "كېيىنكى",
    "previous",
    "previous article",
    "previous post",
    "next",
    "next article",
    "next post",
    "vorheriger beitrag",
    "nächster beitrag",
    "article précédent",
    "article suivant",
    "artículo anterior",
    "artículo siguiente",
    "предыдущая статья",
    "следующая статья",
    "前の記事",
    "次の記事",
    "이전글",
    "다음글",
    "önceki yazı",
    "sonraki yazı",
    "artigo anterior",
    "próximo artigo",
    "articolo precedente",
    "articolo successivo",
    "المقال السابق",
    "المقال التالي",
];

/// What stands there where a page has no neighbour.
pub(super) const NO_NEIGHBOUR: &[&str] =
    &["没有了", "没有", "无", "沒有了", "沒有", "無", "暂无", "已是最后一篇", "已经没有了", "none", "يوق"];

/// What bars of buttons to share a text begin with, and what alone says that something is shared.
pub(super) const SHARE: &[&str] = &[
    "share",
    "share this",
    "share this article",
    "share this page",
    "share this post",
    "share this story",
    "share it",
    "share via",
    "share on",
    "share with",
    "分享",
    "分享到",
    "分享至",
    "分享本文",
    "转发",
    "转发到",
    "轉發",
    "ھەمبەھىرلەش",
    "ئورتاقلىشىش",
    "teilen",
    "artikel teilen",
    "beitrag teilen",
    "partager",
    "partager cet article",
    "partagez",
    "compartir",
    "comparte",
    "compártelo",
    "поделиться",
    "поделитесь",
    "シェア",
    "シェアする",
    "共有",
    "공유",
    "공유하기",
    "paylaş",
    "compartilhar",
    "compartilhe",
    "condividi",
    "مشاركة",
    "شارك",
    "شاركها",
];

/// What stands before the name of a network on a button.
pub(super) const SHARE_ON: &[&str] = &[
    "share on ",
    "share to ",
    "share via ",
    "share by ",
    "share with ",
    "post on ",
    "post to ",
    "send to ",
    "send by ",
    "分享到",
    "分享至",
    "转发到",
    "auf ",
    "per ",
    "partager sur ",
    "partager par ",
    "compartir en ",
    "compartir por ",
    "поделиться в ",
    "compartilhar no ",
    "compartilhar em ",
    "condividi su ",
    "مشاركة على ",
];

/// What stands behind it.
pub(super) const ON_SHARED: &[&str] =
    &[" teilen", "でシェア", "で共有", "에 공유", "'ta paylaş", "'da paylaş"];

/// Networks, and what else such buttons do.
pub(super) const NETWORKS: &[&str] = &[
    "bluesky",
    "copy link",
    "copy url",
    "copy the link",
    "digg",
    "e-mail",
    "email",
    "facebook",
    "flipboard",
    "hacker news",
    "instagram",
    "line",
    "link kopieren",
    "linkedin",
    "mail",
    "mastodon",
    "messenger",
    "odnoklassniki",
    "pin it",
    "pinterest",
    "pocket",
    "print",
    "qq",
    "qq好友",
    "qq空间",
    "qzone",
    "reddit",
    "save",
    "skype",
    "sms",
    "telegram",
    "threads",
    "tumblr",
    "tweet",
    "tweet this",
    "twitter",
    "viber",
    "vk",
    "vkontakte",
    "wechat",
    "weibo",
    "whatsapp",
    "x",
    "xing",
    "腾讯微博",
    "新浪微博",
    "人人网",
    "朋友圈",
    "微信",
    "微信好友",
    "微博",
    "豆瓣",
    "复制链接",
    "複製連結",
    "打印",
    "ئۈندىدار",
    "copier le lien",
    "copiar enlace",
    "copiar link",
    "copia link",
    "вконтакте",
    "одноклассники",
    "скопировать ссылку",
    "リンクをコピー",
    "はてなブックマーク",
    "카카오톡",
    "링크 복사",
    "bağlantıyı kopyala",
    "نسخ الرابط",
];

/// What names those who made a text, at its end, with a colon behind it.
pub(super) const MADE_BY: &[&str] = &[
    "责任编辑",
    "责编",
    "编辑",
    "本文编辑",
    "校对",
    "审核",
    "編輯",
    "責任編輯",
    "責編",
    "مۇھەررىر",
    "تەھرىر",
];

/// Those of them that name a step of any work as well.
pub(super) const ANY_WORK: &[&str] = &["编辑", "校对", "审核", "編輯", "تەھرىر"];

/// Words of a sentence that speaks of writing to somebody: who is named below is no writer of the text.
pub(super) const WRITE_TO: &[&str] = &[
    "address",
    "apply",
    "contact",
    "e-mail",
    "email",
    "letter",
    "reach ",
    "register",
    "reply to",
    "write to",
    "written to",
    "地址",
    "联系",
    "聯繫",
    "聯絡",
    "投稿",
    "邮箱",
    "郵箱",
    "报名",
    "報名",
    "发送",
    "發送",
    "寄",
    "咨询",
    "ئادرېس",
    "ئالاقە",
    "ئالاقىلىش",
    "يوللا",
    "ئەۋەت",
    "ئېلخەت",
    "anmeld",
    "bewerb",
    "kontakt",
    "schreib",
    "send",
    "wenden",
    "écri",
    "envoy",
    "dirección",
    "enví",
    "escrib",
    "адрес",
    "обращ",
    "пиш",
    "присыл",
    "связ",
    "contat",
    "endereço",
    "envi",
    "escrev",
    "indirizzo",
    "scriv",
    "başvur",
    "adres",
    "iletişim",
    "البريد",
    "العنوان",
    "أرسل",
    "راسل",
    "連絡",
    "宛",
    "問い合わせ",
    "연락",
    "주소",
    "문의",
];

/// What lines of agencies begin with that name those who made a report.
pub(super) const REPORTED_BY: &[&str] =
    &["reporting by ", "additional reporting by ", "writing by ", "editing by "];

/// What lines end texts with that send readers to the pages of the writer.
pub(super) const FOLLOW: &[&str] =
    &["follow ", "folgen sie ", "suivez ", "sigue a ", "síguelo ", "síguela ", "segui ", "siga "];

/// What a name stands behind at the head of a text.
pub(in crate::fused) const BY: &[&str] = &[
    "by ",
    "von ",
    "par ",
    "por ",
    "di ",
    "от ",
    "автор: ",
    "автор ",
    "yazan: ",
    "autor: ",
    "autor ",
    "author: ",
    "بقلم ",
    "بقلم: ",
    "كاتب: ",
    "ئاپتورى: ",
    "ئاپتور: ",
];

/// What a value without spaces stands behind at the head of a text, with a colon.
pub(in crate::fused) const VALUES: &[&str] = &[
    "来源",
    "來源",
    "稿源",
    "信息来源",
    "文章来源",
    "作者",
    "记者",
    "記者",
    "编辑",
    "編輯",
    "责任编辑",
    "發佈者",
    "发布者",
    "发布人",
    "点击",
    "点击数",
    "浏览",
    "浏览次数",
    "阅读",
    "字号",
    "字体",
    "出典",
    "مەنبە",
    "مەنبەسى",
];

/// What a day stands behind at the head of a text, where nothing says that it is one of publication; with a colon.
pub(in crate::fused) const DAYS: &[&str] =
    &["date", "datum", "fecha", "data", "дата", "日期", "时间", "時間", "ۋاقتى", "چېسلا", "التاريخ", "tarih"];

/// The length of the longest of these that a text begins with, in any case, as a whole word.
pub(in crate::fused) fn begins(text: &str, words: &[&str]) -> Option<usize> {
    // One byte tells most words apart, and this is asked of every line that is kept.
    let first = text.chars().next()?.to_lowercase().next()?.encode_utf8(&mut [0; 4]).as_bytes()[0];
    let fits = words.iter().filter(|word| word.as_bytes()[0] == first);
    fits.filter_map(|word| begins_with(text, word)).max()
}

/// Is a text one of these, in any case?
pub(in crate::fused) fn is_one(text: &str, words: &[&str]) -> bool {
    let Some(first) = text.chars().next().and_then(|it| it.to_lowercase().next()) else { return false };
    words.iter().any(|word| word.starts_with(first) && same(text, word) == Some(text.len()))
}

/// The length of a word that a text begins with, where it goes on with something else than letters of it. Chinese and Japanese have
/// no spaces.
fn begins_with(text: &str, word: &str) -> Option<usize> {
    let goes_on = |next: char| next.is_alphabetic() && !is_unspaced(next) && !word.ends_with(' ');
    same(text, word).filter(|length| !text[*length..].starts_with(goes_on))
}

/// How much of a text is this word, in any case; a large letter may take other bytes than the small one, as the Turkish İ does.
fn same(text: &str, word: &str) -> Option<usize> {
    let mut rest = text.char_indices();
    let mut wanted = word.chars();
    let mut next = wanted.next();
    while next.is_some() {
        let (_, found) = rest.next()?;
        // Of İ, the small dot is a letter of its own.
        for small in found.to_lowercase().filter(|small| found != 'İ' || *small == 'i') {
            if next != Some(small) {
                return None;
            }
            next = wanted.next();
        }
    }
    Some(rest.offset())
}

/// Is it a letter of a script without spaces between words?
pub(super) fn is_unspaced(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole_and_in_any_case() {
        assert_eq!(begins("RELATED: rain", MORE), Some(7));
        assert_eq!(begins("İlgili haber: yağmur", MORE), Some("İlgili haber".len()));
        assert_eq!(begins("Relatedness of things", MORE), None);
        assert_eq!(begins("À lire aussi : la pluie", MORE), Some("à lire aussi".len()));
        assert_eq!(begins("相关阅读推荐：", MORE), Some("相关阅读".len()));
        assert!(is_one("WhatsApp", NETWORKS) && !is_one("WhatsApps", NETWORKS) && !is_one("", NETWORKS));
    }

    #[test]
    fn all_words_are_in_small_letters() {
        let lists = [
            MORE,
            REFERS,
            NEIGHBOURS,
            NO_NEIGHBOUR,
            SHARE,
            SHARE_ON,
            ON_SHARED,
            NETWORKS,
            MADE_BY,
            FOLLOW,
            BY,
            VALUES,
            DAYS,
            REPORTED_BY,
            ANY_WORK,
            WRITE_TO,
        ];
        for word in lists.into_iter().flatten() {
            assert_eq!(word.to_lowercase(), **word);
        }
    }
}

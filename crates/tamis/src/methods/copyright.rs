//! The lexicon of words that stand in the foot of a page: rights, registration, contact.

/// No entry is part of another, so that one word is not counted twice.
#[rustfmt::skip]
const LEXICON: &[&str] = &[
    // Chinese.
    "版权", "著作权", "保留所有权利", "备案", "公网安备", "许可证", "联系我们", "联系电话", "关于我们", "网站地图",
    "法律声明", "免责声明", "隐私", "广告服务", "客服", "技术支持", "主办单位", "承办单位", "诚聘", "友情链接",
    "使用协议", "服务条款", "举报", "意见反馈", "网站建设", "邮编",
    // English.
    "copyright", "©", "all rights reserved", "terms of", "privacy", "contact us", "about us", "sitemap", "site map",
    "disclaimer", "powered by", "legal notice", "imprint", "cookie", "advertise", "feedback", "icp",
    // Uyghur.
    "نەشر ھوقۇقى", "نەشىر ھوقۇقى", "ئاپتورلۇق ھوقۇقى", "بارلىق ھوقۇق", "بىز ھەققىدە", "ئالاقىلىشىش", "تېلېفون",
    "ئادرېس", "تور خەرىتىسى", "مەسئۇلىيەت", "ئېلان بېرىش", "تېخنىكا",
];

/// How many different words of the lexicon a text has. The text must be in lower case.
pub(crate) fn words_in(text: &str) -> usize {
    LEXICON.iter().filter(|word| text.contains(**word)).count()
}

/// Words that speak of rights, and of nothing else.
#[rustfmt::skip]
const RIGHTS: [&str; 22] = [
    "©", "copyright", "all rights reserved", "版权所有", "版權所有", "著作权", "著作權", "保留所有权利", "icp备", "公网安备",
    "نەشر ھوقۇقى", "نەشىر ھوقۇقى", "بارلىق ھوقۇق", "جميع الحقوق", "alle rechte vorbehalten", "tous droits réservés",
    "todos los derechos", "todos os direitos", "tutti i diritti", "все права защищены", "無断転載", "tüm hakları",
];

/// Does a text say whose something is, and who may copy it?
pub(crate) fn tells_rights(text: &str) -> bool {
    let small = text.to_lowercase();
    RIGHTS.iter().any(|word| small.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_entry_is_part_of_another() {
        for word in LEXICON {
            assert_eq!(words_in(word), 1, "{word}");
            assert_eq!(word.to_lowercase(), **word);
        }
    }

    #[test]
    fn three_languages() {
        assert_eq!(words_in("copyright © 2010 all rights reserved"), 3);
        assert_eq!(words_in("版权所有 联系我们 京icp备案"), 4);
        assert_eq!(words_in("a text about gardens"), 0);
    }
}

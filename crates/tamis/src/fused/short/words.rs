//! What the lines at the edges of a page say, in small letters: that it uses cookies, that one may subscribe, by which terms it is
//! read, where its owner lives. Asked only of short pages, at their edges: elsewhere a text may be about these things. What a
//! program says of itself stands in many lines of the foot, and is known by its form.

use crate::characters::count;

/// Words of such a line at most.
const WORDS: u32 = 40;
/// Words of one that only begins so.
const FEW: u32 = 12;

/// Does a line speak of cookies, of letters to readers or of terms?
pub(super) fn is_of_frame(text: &str) -> bool {
    if count(text).words > WORDS {
        return false;
    }
    let small = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| small.contains(word));
    let is_short = count(text).words <= FEW || small.contains(['|', '·', '•']);
    has(COOKIES) || (is_short && BEGINS.iter().any(|word| small.starts_with(word)))
}

/// Does a program say of itself what it is called, how long it took, what time it has, or by which number it is registered?
pub(super) fn is_of_program(text: &str) -> bool {
    if count(text).words > WORDS {
        return false;
    }
    let small = text.to_lowercase();
    let small = small.trim_start();
    // "Applications are processed in May" is a notice, and so is "Powered by the wind".
    let has_number = |word: &str| {
        small
            .match_indices(word)
            .any(|(at, _)| small[at + word.len()..].trim_start().starts_with(|it: char| it.is_ascii_digit()))
    };
    let names = |word: &str| {
        let start = text.trim_start();
        let rest = start.get(word.len()..).filter(|_| small.starts_with(word));
        // "vBulletin", "phpBB": a name need not begin with its large letter.
        let is_name = |word: &str| word.contains(|it: char| it.is_alphabetic() && !it.is_lowercase());
        rest.is_some_and(|rest| {
            rest.starts_with([':', '：'])
                || (rest.starts_with(char::is_whitespace)
                    && rest.split_whitespace().next().is_some_and(is_name))
        })
    };
    ZONES.iter().any(|word| small.contains(word))
        || CLOCKS.iter().any(|word| has_number(word))
        || (count(text).words <= FEW && MADE_WITH.iter().any(|word| names(word)))
}

/// Does a line tell where somebody lives and how he is called? One word for that may stand in any notice.
pub(super) fn is_address(text: &str) -> bool {
    if count(text).words > WORDS {
        return false;
    }
    let small = text.to_lowercase();
    let told = ADDRESS.iter().filter(|words| words.iter().any(|word| small.contains(word))).count();
    told >= 2
}

/// Does a title or heading say that the page is there to tell an address?
pub(super) fn is_about_address(text: &str) -> bool {
    let small = text.to_lowercase();
    CONTACT.iter().any(|word| small.contains(word))
}

#[rustfmt::skip]
const COOKIES: &[&str] = &[
    "we use cookies", "uses cookies", "use of cookies", "accept cookies", "accept all cookies", "cookie policy", "cookie settings",
    "使用cookie", "使用 cookie", "cookie 政策", "cookie政策", "cookieを使用", "クッキーを使用", "쿠키를 사용",
    "verwenden cookies", "verwendet cookies", "nutzen cookies", "nutzt cookies", "utilise des cookies", "utilisons des cookies",
    "usamos cookies", "utilizamos cookies", "utiliza cookies", "usa cookies", "usiamo i cookie", "utilizza i cookie",
    "использует cookie", "использует файлы cookie", "используем cookie", "используем файлы cookie", "çerez kullan",
    "ملفات تعريف الارتباط", "cookie ئىشلىت",
];

/// In which zone a forum tells the time, and where a site is registered.
#[rustfmt::skip]
const ZONES: &[&str] = &[
    "all times are gmt", "all times are utc", "all times are in the", "times are displayed in", "time zone: gmt",
    "当前时区", "當前時區", "所有时间均为", "所有時間均為", "gmt+8, 20", "icp备", "icp備", "icp证", "公网安备", "公安备",
    "alle zeitangaben in", "fuseau horaire gmt", "heures au format",
    "la franja horaria es", "todas las horas son", "tutti gli orari sono",
    "horários são gmt", "часовой пояс: gmt", "все время указано", "tüm zamanlar gmt", "şuan saat", "şu an saat",
    "جميع الأوقات بتوقيت", "すべての時刻は", "時刻は協定世界時", "모든 시간은",
];

/// What stands before the time that it is, or that a page took.
#[rustfmt::skip]
const CLOCKS: &[&str] = &[
    "processed in", "page generated in", "page created in", "script execution time:", "页面执行时间", "执行时间:",
    "页面生成时间", "seite generiert in", "page générée en", "página generada en", "страница создана за", "сгенерировано за",
    "sayfa oluşturulma süresi",
    "the time now is", "current time:", "aktuelle zeit:", "es ist jetzt", "il est actuellement", "adesso sono le", "ahora son las", "la hora actual es", "الساعة الآن",
    "текущее время:", "现在时间是", "現在時間是",
];

/// What stands before the name of a program, at the head of its line.
#[rustfmt::skip]
const MADE_WITH: &[&str] = &[
    "powered by", "proudly powered by", "forum software by", "forum software ©", "theme by", "design by", "designed by",
    "技术支持", "技術支持", "网站建设", "網站建設", "forensoftware", "betrieben mit", "läuft mit", "propulsé par", "développé par",
    "desarrollado por", "impulsado por", "funciona con", "desenvolvido por", "realizzato con", "realizzato da", "работает на", "создано на",
    "разработка сайта", "مدعوم من", "تصميم و", "تېخنىكا قوللى", "تېخنىكىلىق قوللى",
];

#[rustfmt::skip]
const BEGINS: &[&str] = &[
    // Letters to readers.
    "subscribe to our", "sign up for our newsletter", "sign up to our newsletter", "join our newsletter", "newsletter", "unser newsletter",
    "abonnieren sie", "abonnez-vous", "inscrivez-vous", "suscríbete", "suscríbase", "подпишитесь", "订阅我们", "订阅本站", "關注我們",
    "关注我们", "訂閱我們", "メルマガ", "뉴스레터", "bültenimize", "inscreva-se", "assine nossa", "iscriviti", "اشترك في", "مۇشتەرى بولۇڭ",
    // Terms.
    "privacy policy", "privacy notice", "terms of use", "terms of service", "terms & conditions", "terms and conditions", "legal notice",
    "プライバシーポリシー", "利用規約", "お問い合わせ", "特定商取引法", "隐私政策", "隱私政策", "隐私声明", "服务条款", "使用条款", "服務條款", "免责声明",
    "网站地图", "联系我们", "关于我们", "聯絡我們", "關於我們", "友情链接", "impressum", "datenschutz", "agb", "mentions légales",
    "politique de confidentialité", "aviso legal", "política de privacidad", "política de privacidade", "termos de uso",
    "политика конфиденциальности", "пользовательское соглашение", "informativa sulla privacy", "note legali", "개인정보", "이용약관",
    "gizlilik politikası", "kullanım koşulları", "سياسة الخصوصية", "شروط الاستخدام", "مەخپىيەتلىك", "بىز ھەققىدە", "ئالاقىلىشىش",
];

/// What tells of an address, each line of words one thing.
#[rustfmt::skip]
const ADDRESS: &[&[&str]] = &[
    &["tel.", "tel:", "tel ", "telefon", "phone:", "phone ", "téléphone", "tél.", "teléfono", "telefone", "тел.", "тел:", "телефон",
      "电话", "電話", "전화", "تېلېفون", "هاتف"],
    &["fax", "传真", "傳真", "факс", "فاكس"],
    &["ust-id", "steuernummer", "handelsregister", "siret", "vat no", "vat reg", "p.iva", "partita iva", "инн", "company no"],
    &["地址", "住所", "所在地", "address:", "adresse:", "adresse :", "dirección:", "адрес:", "indirizzo:", "endereço:", "adres:", "주소", "العنوان",
      "ئادرېس"],
    &["straße", "strasse", "street", " road", " avenue", "rue ", "calle ", "ул.", "улица", "via ", "rua ", "caddesi", "sokak", "路", "街"],
    &["gmbh", " ltd", " inc.", "s.a.r.l", "有限公司", "株式会社", "ооо "],
    &["邮编", "郵編", "〒", "zip code", "postcode"],
    &["技术支持", "技術支持", "主办", "承办", "powered by", "تېخنىكا"],
];

#[rustfmt::skip]
const CONTACT: &[&str] = &[
    "contact", "address", "imprint", "find us", "visit us", "kontakt", "impressum", "anfahrt", "adres", "dirección", "contatti",
    "contato", "контакт", "адрес", "iletişim", "联系", "聯絡", "聯繫", "地址", "お問い合わせ", "アクセス", "会社概要", "연락", "오시는", "اتصل", "العنوان",
    "ئالاقە", "ئادرېس",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_are_in_small_letters() {
        let lists =
            [COOKIES, BEGINS, CONTACT, ZONES, CLOCKS, MADE_WITH].into_iter().chain(ADDRESS.iter().copied());
        for word in lists.flatten() {
            assert_eq!(word.to_lowercase(), **word);
        }
    }

    #[test]
    fn notices_are_no_lines_of_the_frame() {
        for notice in [
            "Our privacy policy has changed.",
            "The office in Harbour Street is closed.",
            "Call us, Tel. 123.",
            "渡轮今日停航，请走港口路。",
            "Powered by wind and sun, the ferry sails again.",
            "Applications are processed in May.",
            "技术支持人员今天不上班。",
            "Es ist jetzt Zeit zu gehen.",
        ] {
            assert!(!is_of_frame(notice) && !is_address(notice) && !is_of_program(notice), "{notice}");
        }
    }

    #[test]
    fn what_programs_say_of_themselves_was_a_notice() {
        for line in [
            "GMT+8, 2026-3-3 10:20, Processed in 0.012 second(s), 6 queries.",
            "Powered by Discuz! X3.4",
            "浙ICP备12345678号",
            "All times are GMT +1. The time now is 10:20 AM.",
            "Page generated in 0.12 seconds with 9 queries",
            "技术支持：港口网络",
            "Alle Zeitangaben in WEZ +1. Es ist jetzt 10:20 Uhr.",
            "Powered by vBulletin® Version 3.8.4",
        ] {
            assert!(is_of_program(line), "{line}");
        }
    }
}

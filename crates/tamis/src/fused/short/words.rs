//! What the lines at the edges of a page say, in small letters: that it uses cookies, that one may subscribe, by which terms it is
//! read, where its owner lives. Asked only of short pages, at their edges: elsewhere a text may be about these things.

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
    "contact", "address", "imprint", "find us", "visit us", "kontakt", "impressum", "anfahrt", "adresse", "contacto", "dirección", "contatti",
    "contato", "контакт", "адрес", "iletişim", "adres", "联系", "聯絡", "聯繫", "地址", "お問い合わせ", "アクセス", "会社概要", "연락", "오시는", "اتصل", "العنوان",
    "ئالاقە", "ئادرېس",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_are_in_small_letters() {
        let lists = [COOKIES, BEGINS, CONTACT].into_iter().chain(ADDRESS.iter().copied());
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
        ] {
            assert!(!is_of_frame(notice) && !is_address(notice), "{notice}");
        }
    }
}

//! The names with fixed numbers, and the table that finds them.

use super::Name;

macro_rules! known_names {
    ($($id:ident $text:literal)*) => {
        #[allow(clippy::upper_case_acronyms, non_camel_case_types)]
        #[repr(u32)]
        enum Number { $($id,)* Count }

        impl Name {
            $(#[doc = concat!("`", $text, "`")] pub const $id: Name = Name(Number::$id as u32);)*
        }

        /// The texts of the names with fixed numbers.
        pub(super) const KNOWN: [&str; Number::Count as usize] = [$($text),*];
    };
}

// The order matters for names that SVG writes with capitals: both forms are in ranges of the same order, so that adding
// the length of the range converts one into the other.
known_names! {
    // Elements of HTML.
    A "a" ABBR "abbr" ACRONYM "acronym" ADDRESS "address" AMP_IMG "amp-img" APPLET "applet" AREA "area"
    ARTICLE "article" ASIDE "aside" AUDIO "audio" B "b" BASE "base" BASEFONT "basefont" BDI "bdi" BDO "bdo" BGSOUND "bgsound"
    BIG "big" BLOCKQUOTE "blockquote" BODY "body" BR "br" BUTTON "button" CANVAS "canvas" CAPTION "caption"
    CENTER "center" CITE "cite" CODE "code" COL "col" COLGROUP "colgroup" DATA "data" DATALIST "datalist"
    DD "dd" DEL "del" DETAILS "details" DFN "dfn" DIALOG "dialog" DIR "dir" DIV "div" DL "dl" DT "dt"
    EM "em" EMBED "embed" FIELDSET "fieldset" FIGCAPTION "figcaption" FIGURE "figure" FONT "font"
    FOOTER "footer" FORM "form" FRAME "frame" FRAMESET "frameset" H1 "h1" H2 "h2" H3 "h3" H4 "h4" H5 "h5"
    H6 "h6" HEAD "head" HEADER "header" HGROUP "hgroup" HR "hr" HTML "html" I "i" IFRAME "iframe"
    IMAGE "image" IMG "img" INPUT "input" INS "ins" KBD "kbd" KEYGEN "keygen" LABEL "label" LEGEND "legend"
    LI "li" LINK "link" LISTING "listing" MAIN "main" MAP "map" MARK "mark" MARQUEE "marquee" MENU "menu"
    MENUITEM "menuitem" META "meta" METER "meter" NAV "nav" NOBR "nobr" NOEMBED "noembed"
    NOFRAMES "noframes" NOSCRIPT "noscript" OBJECT "object" OL "ol" OPTGROUP "optgroup" OPTION "option"
    OUTPUT "output" P "p" PARAM "param" PICTURE "picture" PLAINTEXT "plaintext" PRE "pre"
    PROGRESS "progress" Q "q" RB "rb" RP "rp" RT "rt" RTC "rtc" RUBY "ruby" S "s" SAMP "samp"
    SCRIPT "script" SEARCH "search" SECTION "section" SELECT "select" SELECTEDCONTENT "selectedcontent"
    SLOT "slot" SMALL "small" SOURCE "source" SPAN "span" STRIKE "strike" STRONG "strong" STYLE "style"
    SUB "sub" SUMMARY "summary" SUP "sup" TABLE "table" TBODY "tbody" TD "td" TEMPLATE "template"
    TEXTAREA "textarea" TFOOT "tfoot" TH "th" THEAD "thead" TIME "time" TITLE "title" TR "tr" TRACK "track"
    TT "tt" U "u" UL "ul" VAR "var" VIDEO "video" WBR "wbr" XMP "xmp"
    // Elements of SVG and MathML that need no change of case.
    SVG "svg" MATH "math" MI "mi" MO "mo" MN "mn" MS "ms" MTEXT "mtext" ANNOTATION_XML "annotation-xml"
    ANNOTATION "annotation" SEMANTICS "semantics" MROW "mrow" MFRAC "mfrac" MSUP "msup" MSUB "msub"
    MGLYPH "mglyph" MALIGNMARK "malignmark" DESC "desc" G "g" PATH "path" CIRCLE "circle" ELLIPSE "ellipse"
    RECT "rect" LINE "line" POLYGON "polygon" POLYLINE "polyline" USE "use" DEFS "defs" SYMBOL "symbol"
    TEXT "text" TSPAN "tspan" STOP "stop" MASK "mask" PATTERN "pattern" FILTER "filter"
    // SVG element names in tags ...
    LOW_ALTGLYPH "altglyph" LOW_ALTGLYPHDEF "altglyphdef" LOW_ALTGLYPHITEM "altglyphitem"
    LOW_ANIMATECOLOR "animatecolor" LOW_ANIMATEMOTION "animatemotion"
    LOW_ANIMATETRANSFORM "animatetransform" LOW_CLIPPATH "clippath" LOW_FEBLEND "feblend"
    LOW_FECOLORMATRIX "fecolormatrix" LOW_FECOMPONENTTRANSFER "fecomponenttransfer"
    LOW_FECOMPOSITE "fecomposite" LOW_FECONVOLVEMATRIX "feconvolvematrix"
    LOW_FEDIFFUSELIGHTING "fediffuselighting" LOW_FEDISPLACEMENTMAP "fedisplacementmap"
    LOW_FEDISTANTLIGHT "fedistantlight" LOW_FEDROPSHADOW "fedropshadow" LOW_FEFLOOD "feflood"
    LOW_FEFUNCA "fefunca" LOW_FEFUNCB "fefuncb" LOW_FEFUNCG "fefuncg" LOW_FEFUNCR "fefuncr"
    LOW_FEGAUSSIANBLUR "fegaussianblur" LOW_FEIMAGE "feimage" LOW_FEMERGE "femerge"
    LOW_FEMERGENODE "femergenode" LOW_FEMORPHOLOGY "femorphology" LOW_FEOFFSET "feoffset"
    LOW_FEPOINTLIGHT "fepointlight" LOW_FESPECULARLIGHTING "fespecularlighting"
    LOW_FESPOTLIGHT "fespotlight" LOW_FETILE "fetile" LOW_FETURBULENCE "feturbulence"
    LOW_FOREIGNOBJECT "foreignobject" LOW_GLYPHREF "glyphref" LOW_LINEARGRADIENT "lineargradient"
    LOW_RADIALGRADIENT "radialgradient" LOW_TEXTPATH "textpath"
    // ... and in the tree, in the same order.
    SVG_ALTGLYPH "altGlyph" SVG_ALTGLYPHDEF "altGlyphDef" SVG_ALTGLYPHITEM "altGlyphItem"
    SVG_ANIMATECOLOR "animateColor" SVG_ANIMATEMOTION "animateMotion"
    SVG_ANIMATETRANSFORM "animateTransform" SVG_CLIPPATH "clipPath" SVG_FEBLEND "feBlend"
    SVG_FECOLORMATRIX "feColorMatrix" SVG_FECOMPONENTTRANSFER "feComponentTransfer"
    SVG_FECOMPOSITE "feComposite" SVG_FECONVOLVEMATRIX "feConvolveMatrix"
    SVG_FEDIFFUSELIGHTING "feDiffuseLighting" SVG_FEDISPLACEMENTMAP "feDisplacementMap"
    SVG_FEDISTANTLIGHT "feDistantLight" SVG_FEDROPSHADOW "feDropShadow" SVG_FEFLOOD "feFlood"
    SVG_FEFUNCA "feFuncA" SVG_FEFUNCB "feFuncB" SVG_FEFUNCG "feFuncG" SVG_FEFUNCR "feFuncR"
    SVG_FEGAUSSIANBLUR "feGaussianBlur" SVG_FEIMAGE "feImage" SVG_FEMERGE "feMerge"
    SVG_FEMERGENODE "feMergeNode" SVG_FEMORPHOLOGY "feMorphology" SVG_FEOFFSET "feOffset"
    SVG_FEPOINTLIGHT "fePointLight" SVG_FESPECULARLIGHTING "feSpecularLighting"
    SVG_FESPOTLIGHT "feSpotLight" SVG_FETILE "feTile" SVG_FETURBULENCE "feTurbulence"
    SVG_FOREIGNOBJECT "foreignObject" SVG_GLYPHREF "glyphRef" SVG_LINEARGRADIENT "linearGradient"
    SVG_RADIALGRADIENT "radialGradient" SVG_TEXTPATH "textPath"
    // SVG attribute names in tags ...
    LOW_ATTRIBUTENAME "attributename" LOW_ATTRIBUTETYPE "attributetype" LOW_BASEFREQUENCY "basefrequency"
    LOW_BASEPROFILE "baseprofile" LOW_CALCMODE "calcmode" LOW_CLIPPATHUNITS "clippathunits"
    LOW_DIFFUSECONSTANT "diffuseconstant" LOW_EDGEMODE "edgemode" LOW_FILTERUNITS "filterunits"
    LOW_GRADIENTTRANSFORM "gradienttransform" LOW_GRADIENTUNITS "gradientunits"
    LOW_KERNELMATRIX "kernelmatrix" LOW_KERNELUNITLENGTH "kernelunitlength" LOW_KEYPOINTS "keypoints"
    LOW_KEYSPLINES "keysplines" LOW_KEYTIMES "keytimes" LOW_LENGTHADJUST "lengthadjust"
    LOW_LIMITINGCONEANGLE "limitingconeangle" LOW_MARKERHEIGHT "markerheight" LOW_MARKERUNITS "markerunits"
    LOW_MARKERWIDTH "markerwidth" LOW_MASKCONTENTUNITS "maskcontentunits" LOW_MASKUNITS "maskunits"
    LOW_NUMOCTAVES "numoctaves" LOW_PATHLENGTH "pathlength" LOW_PATTERNCONTENTUNITS "patterncontentunits"
    LOW_PATTERNTRANSFORM "patterntransform" LOW_PATTERNUNITS "patternunits" LOW_POINTSATX "pointsatx"
    LOW_POINTSATY "pointsaty" LOW_POINTSATZ "pointsatz" LOW_PRESERVEALPHA "preservealpha"
    LOW_PRESERVEASPECTRATIO "preserveaspectratio" LOW_PRIMITIVEUNITS "primitiveunits" LOW_REFX "refx"
    LOW_REFY "refy" LOW_REPEATCOUNT "repeatcount" LOW_REPEATDUR "repeatdur"
    LOW_REQUIREDEXTENSIONS "requiredextensions" LOW_REQUIREDFEATURES "requiredfeatures"
    LOW_SPECULARCONSTANT "specularconstant" LOW_SPECULAREXPONENT "specularexponent"
    LOW_SPREADMETHOD "spreadmethod" LOW_STARTOFFSET "startoffset" LOW_STDDEVIATION "stddeviation"
    LOW_STITCHTILES "stitchtiles" LOW_SURFACESCALE "surfacescale" LOW_SYSTEMLANGUAGE "systemlanguage"
    LOW_TABLEVALUES "tablevalues" LOW_TARGETX "targetx" LOW_TARGETY "targety" LOW_TEXTLENGTH "textlength"
    LOW_VIEWBOX "viewbox" LOW_VIEWTARGET "viewtarget" LOW_XCHANNELSELECTOR "xchannelselector"
    LOW_YCHANNELSELECTOR "ychannelselector" LOW_ZOOMANDPAN "zoomandpan"
    // ... and in the tree, in the same order.
    SVG_ATTRIBUTENAME "attributeName" SVG_ATTRIBUTETYPE "attributeType" SVG_BASEFREQUENCY "baseFrequency"
    SVG_BASEPROFILE "baseProfile" SVG_CALCMODE "calcMode" SVG_CLIPPATHUNITS "clipPathUnits"
    SVG_DIFFUSECONSTANT "diffuseConstant" SVG_EDGEMODE "edgeMode" SVG_FILTERUNITS "filterUnits"
    SVG_GRADIENTTRANSFORM "gradientTransform" SVG_GRADIENTUNITS "gradientUnits"
    SVG_KERNELMATRIX "kernelMatrix" SVG_KERNELUNITLENGTH "kernelUnitLength" SVG_KEYPOINTS "keyPoints"
    SVG_KEYSPLINES "keySplines" SVG_KEYTIMES "keyTimes" SVG_LENGTHADJUST "lengthAdjust"
    SVG_LIMITINGCONEANGLE "limitingConeAngle" SVG_MARKERHEIGHT "markerHeight" SVG_MARKERUNITS "markerUnits"
    SVG_MARKERWIDTH "markerWidth" SVG_MASKCONTENTUNITS "maskContentUnits" SVG_MASKUNITS "maskUnits"
    SVG_NUMOCTAVES "numOctaves" SVG_PATHLENGTH "pathLength" SVG_PATTERNCONTENTUNITS "patternContentUnits"
    SVG_PATTERNTRANSFORM "patternTransform" SVG_PATTERNUNITS "patternUnits" SVG_POINTSATX "pointsAtX"
    SVG_POINTSATY "pointsAtY" SVG_POINTSATZ "pointsAtZ" SVG_PRESERVEALPHA "preserveAlpha"
    SVG_PRESERVEASPECTRATIO "preserveAspectRatio" SVG_PRIMITIVEUNITS "primitiveUnits" SVG_REFX "refX"
    SVG_REFY "refY" SVG_REPEATCOUNT "repeatCount" SVG_REPEATDUR "repeatDur"
    SVG_REQUIREDEXTENSIONS "requiredExtensions" SVG_REQUIREDFEATURES "requiredFeatures"
    SVG_SPECULARCONSTANT "specularConstant" SVG_SPECULAREXPONENT "specularExponent"
    SVG_SPREADMETHOD "spreadMethod" SVG_STARTOFFSET "startOffset" SVG_STDDEVIATION "stdDeviation"
    SVG_STITCHTILES "stitchTiles" SVG_SURFACESCALE "surfaceScale" SVG_SYSTEMLANGUAGE "systemLanguage"
    SVG_TABLEVALUES "tableValues" SVG_TARGETX "targetX" SVG_TARGETY "targetY" SVG_TEXTLENGTH "textLength"
    SVG_VIEWBOX "viewBox" SVG_VIEWTARGET "viewTarget" SVG_XCHANNELSELECTOR "xChannelSelector"
    SVG_YCHANNELSELECTOR "yChannelSelector" SVG_ZOOMANDPAN "zoomAndPan"
    // The only MathML attribute name with capitals.
    LOW_DEFINITIONURL "definitionurl"
    MATH_DEFINITIONURL "definitionURL"
    // Attribute names with a prefix, which foreign elements split off.
    XLINK_ACTUATE "xlink:actuate" XLINK_ARCROLE "xlink:arcrole" XLINK_HREF "xlink:href"
    XLINK_ROLE "xlink:role" XLINK_SHOW "xlink:show" XLINK_TITLE "xlink:title" XLINK_TYPE "xlink:type"
    XML_LANG "xml:lang" XML_SPACE "xml:space" XMLNS "xmlns" XMLNS_XLINK "xmlns:xlink"
    // Attributes.
    ID "id" CLASS "class" HREF "href" SRC "src" ALT "alt" TYPE "type" REL "rel" NAME "name"
    CONTENT "content" VALUE "value" WIDTH "width" HEIGHT "height" TARGET "target" PROPERTY "property"
    ITEMPROP "itemprop" ITEMSCOPE "itemscope" ITEMTYPE "itemtype" ITEMID "itemid" ROLE "role"
    ARIA_HIDDEN "aria-hidden" ARIA_LABEL "aria-label" ARIA_LABELLEDBY "aria-labelledby"
    ARIA_EXPANDED "aria-expanded" ARIA_CONTROLS "aria-controls" MEDIA "media" ALIGN "align" SRCSET "srcset"
    SIZES "sizes" HIDDEN "hidden" LANG "lang" XLINK "xlink" ACTUATE "actuate" ARCROLE "arcrole" SHOW "show"
    SPACE "space" HTTP_EQUIV "http-equiv" CHARSET "charset" COLOR "color" FACE "face" SIZE "size"
    ROWS "rows" COLS "cols" ACTION "action" METHOD "method" ENCODING "encoding" SELECTED "selected"
    DISABLED "disabled" CHECKED "checked" MULTIPLE "multiple" PLACEHOLDER "placeholder" TABINDEX "tabindex"
    ONCLICK "onclick" ONLOAD "onload" LOADING "loading" DECODING "decoding" FETCHPRIORITY "fetchpriority"
    DATETIME "datetime" FOR "for" AS "as" ASYNC "async" DEFER "defer" CROSSORIGIN "crossorigin"
    INTEGRITY "integrity" REFERRERPOLICY "referrerpolicy" BORDER "border" CELLPADDING "cellpadding"
    CELLSPACING "cellspacing" COLSPAN "colspan" ROWSPAN "rowspan" BGCOLOR "bgcolor" BACKGROUND "background"
    VALIGN "valign" NOWRAP "nowrap" SCOPE "scope" HEADERS "headers" FRAMEBORDER "frameborder"
    ALLOWFULLSCREEN "allowfullscreen" ALLOW "allow" SCROLLING "scrolling" USEMAP "usemap" SHAPE "shape"
    COORDS "coords" ACCEPT "accept" AUTOCOMPLETE "autocomplete" MAXLENGTH "maxlength" MINLENGTH "minlength"
    MIN "min" MAX "max" STEP "step" REQUIRED "required" READONLY "readonly" START "start"
    REVERSED "reversed" OPEN "open" DOWNLOAD "download" PING "ping" POSTER "poster" CONTROLS "controls"
    AUTOPLAY "autoplay" LOOP "loop" MUTED "muted" PRELOAD "preload" KIND "kind" SRCDOC "srcdoc"
    SANDBOX "sandbox" DATA_SRC "data-src" DATA_ID "data-id" DATA_SRCSET "data-srcset" DATA_HREF "data-href"
    DATA_URL "data-url" DATA_TITLE "data-title" DATA_TYPE "data-type" DATA_NAME "data-name"
    DATA_VALUE "data-value" DATA_TARGET "data-target" DATA_TOGGLE "data-toggle" DATA_INDEX "data-index"
    DATA_LAZY_SRC "data-lazy-src" DATA_ORIGINAL "data-original" DATA_TESTID "data-testid"
    DATA_SLOT "data-slot" D "d" FILL "fill" STROKE "stroke" STROKE_WIDTH "stroke-width"
    STROKE_LINECAP "stroke-linecap" STROKE_LINEJOIN "stroke-linejoin" FILL_RULE "fill-rule"
    CLIP_RULE "clip-rule" VERSION "version" X "x" Y "y" X1 "x1" Y1 "y1" X2 "x2" Y2 "y2" CX "cx" CY "cy"
    R "r" RX "rx" RY "ry" POINTS "points" TRANSFORM "transform" OPACITY "opacity" OFFSET "offset"
    FOCUSABLE "focusable" NONCE "nonce" ACCESSKEY "accesskey" CONTENTEDITABLE "contenteditable"
    DRAGGABLE "draggable" SPELLCHECK "spellcheck" TRANSLATE "translate" ABOUT "about" TYPEOF "typeof"
    RESOURCE "resource" VOCAB "vocab" PREFIX "prefix" DATATYPE "datatype"
}

/// A range of names as in tags, followed by their forms in the tree in the same order.
struct Recased {
    first: Name,
    end: Name,
}

const SVG_ELEMENTS: Recased = Recased { first: Name::LOW_ALTGLYPH, end: Name::SVG_ALTGLYPH };
const SVG_ATTRIBUTES: Recased = Recased { first: Name::LOW_ATTRIBUTENAME, end: Name::SVG_ATTRIBUTENAME };

impl Recased {
    fn to_tree(&self, name: Name) -> Name {
        if (self.first..self.end).contains(&name) { Name(name.0 + self.end.0 - self.first.0) } else { name }
    }

    fn to_tag(&self, name: Name) -> Name {
        let run = self.end.0 - self.first.0;
        if (self.end..Name(self.end.0 + run)).contains(&name) { Name(name.0 - run) } else { name }
    }
}

impl Name {
    /// The text, if it does not depend on the page.
    pub(crate) fn known_text(self) -> Option<&'static str> {
        KNOWN.get(self.0 as usize).copied()
    }

    /// The level of a heading, from 1 to 6.
    ///
    /// ```
    /// use tamis_html::Name;
    ///
    /// assert_eq!((Name::H2.heading_level(), Name::P.heading_level()), (Some(2), None));
    /// ```
    pub fn heading_level(self) -> Option<u8> {
        Some(match self {
            Name::H1 => 1,
            Name::H2 => 2,
            Name::H3 => 3,
            Name::H4 => 4,
            Name::H5 => 5,
            Name::H6 => 6,
            _ => return None,
        })
    }

    /// The name of an SVG element in the tree, from the name in its tag: `foreignobject` becomes `foreignObject`.
    pub(crate) fn svg_element(self) -> Name {
        SVG_ELEMENTS.to_tree(self)
    }

    /// The way back from [`Name::svg_element`], for comparing with an end tag.
    pub(crate) fn svg_tag(self) -> Name {
        SVG_ELEMENTS.to_tag(self)
    }

    /// The name of an SVG attribute in the tree: `viewbox` becomes `viewBox`.
    pub(crate) fn svg_attribute(self) -> Name {
        // A name of both an element and an attribute is among the elements.
        if self == Name::LOW_GLYPHREF { Name::SVG_GLYPHREF } else { SVG_ATTRIBUTES.to_tree(self) }
    }
}

/// Packs up to 16 bytes into one number, first byte lowest.
const fn pack(text: &[u8]) -> Option<u128> {
    if text.len() > 16 {
        return None;
    }
    let mut packed = 0;
    let mut i = 0;
    while i < text.len() {
        packed |= (text[i] as u128) << (8 * i);
        i += 1;
    }
    Some(packed)
}

const SLOT_BITS: u32 = 11;
const SLOTS: usize = 1 << SLOT_BITS;

/// A cheap hash of a packed name.
#[inline(always)]
const fn slot(packed: u128) -> usize {
    let folded = (packed as u64) ^ ((packed >> 64) as u64).wrapping_mul(0xA24B_AED4_963E_E407);
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SLOT_BITS)) as usize
}

struct KnownTable {
    packed: [u128; SLOTS],
    number: [u16; SLOTS],
}

/// The known names in tags, by their packed text: open addressing, laid out at compile time.
static KNOWN_TABLE: KnownTable = {
    let mut table = KnownTable { packed: [0; SLOTS], number: [0; SLOTS] };
    let mut i = 0;
    while i < KNOWN.len() {
        // Tags never contain names with capitals.
        if let Some(packed) = pack(KNOWN[i].as_bytes())
            && !has_capital(KNOWN[i])
        {
            let mut at = slot(packed);
            while table.packed[at] != 0 {
                at = (at + 1) % SLOTS;
            }
            table.packed[at] = packed;
            table.number[at] = i as u16;
        }
        i += 1;
    }
    table
};

/// The known name with this packed text; zero packs none.
#[inline(always)]
pub(super) fn by_packed(packed: u128) -> Option<Name> {
    let mut at = slot(packed);
    loop {
        let there = KNOWN_TABLE.packed[at];
        if there == packed && packed != 0 {
            return Some(Name(u32::from(KNOWN_TABLE.number[at])));
        }
        if there == 0 {
            return None;
        }
        at = (at + 1) % SLOTS;
    }
}

/// The numbers of the names that are not in the table, and their count.
static OTHERS: ([u16; KNOWN.len()], usize) = {
    let (mut others, mut count, mut i) = ([0; KNOWN.len()], 0, 0);
    while i < KNOWN.len() {
        if KNOWN[i].len() > 16 || has_capital(KNOWN[i]) {
            others[count] = i as u16;
            count += 1;
        }
        i += 1;
    }
    (others, count)
};

/// The known name with this text, which has no capitals.
pub(super) fn by_lower_text(text: &str) -> Option<Name> {
    match pack(text.as_bytes()) {
        Some(packed) => by_packed(packed),
        None => by_other_text(text),
    }
}

/// The known name with exactly this text.
pub(super) fn by_text(text: &str) -> Option<Name> {
    pack(text.as_bytes()).and_then(by_packed).or_else(|| by_other_text(text))
}

fn by_other_text(text: &str) -> Option<Name> {
    let (numbers, count) = &OTHERS;
    let number = numbers[..*count].iter().find(|&&number| KNOWN[usize::from(number)] == text)?;
    Some(Name(u32::from(*number)))
}

const fn has_capital(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i].is_ascii_uppercase() {
            return true;
        }
        i += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_name_is_found_by_its_text() {
        for (number, text) in KNOWN.iter().enumerate() {
            let name = Name(number as u32);
            assert_eq!(by_text(text), Some(name), "{text} stands in the list once");
            if !has_capital(text) {
                assert_eq!(by_lower_text(text), Some(name), "{text}");
            }
        }
        assert_eq!(by_packed(pack(b"my-word").unwrap()), None);
    }

    #[test]
    fn svg_names_come_in_pairs() {
        for run in [SVG_ELEMENTS, SVG_ATTRIBUTES] {
            for number in run.first.0..run.end.0 {
                let (tag, tree) = (Name(number), run.to_tree(Name(number)));
                assert_ne!(tag, tree);
                assert_eq!(run.to_tag(tree), tag);
                assert!(tree.known_text().unwrap().eq_ignore_ascii_case(tag.known_text().unwrap()));
            }
        }
        assert_eq!(Name::LOW_FOREIGNOBJECT.svg_element(), Name::SVG_FOREIGNOBJECT);
        assert_eq!(Name::LOW_VIEWBOX.svg_attribute(), Name::SVG_VIEWBOX);
        assert_eq!(Name::DIV.svg_element(), Name::DIV);
    }
}

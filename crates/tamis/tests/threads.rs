//! Small threads in the manner of many engines, each with what its posts are: writer, time, number, words, whom they answer and
//! what they quote. The markup is our own, after the habits of the engines; the texts are invented.

use tamis::Page;
use tamis::posts::{Post, find};

/// One post: writer and words.
type Said = (&'static str, &'static str);

const ENGLISH: [Said; 3] = [
    ("Ada", "Does anybody know when the ferry runs on Sundays, and what it costs for two with a dog?"),
    ("Ben Hill", "From May on it leaves at nine, says the board at the pier; dogs go for free."),
    ("Cora", "We took it last year. Bring something warm, since the wind is cold out there."),
];
const CHINESE: [Said; 3] = [
    ("小雨", "请问周日的渡轮几点开？两个人带一条狗要多少钱，有人知道吗？"),
    ("阿明", "码头的牌子上写着，五月起九点开船，狗不收钱。"),
    ("海风", "我们去年坐过，海上的风很冷，记得多带一件衣服。"),
];
const UYGHUR: [Said; 3] = [
    ("ئايگۈل", "يەكشەنبە كۈنى پاراخوت قاچان ماڭىدۇ؟ ئىككى كىشىگە قانچە پۇل كېتىدۇ، بىلىدىغانلار بارمۇ؟"),
    ("تۇرسۇن", "بەشىنچى ئايدىن باشلاپ سائەت توققۇزدا ماڭىدۇ، ئىتقا پۇل ئالمايدىكەن."),
    ("مەريەم", "بىز ئۆتكەن يىلى ئولتۇرغان، دېڭىزنىڭ شامىلى بەك سوغۇق ئىكەن، قېلىن كىيىم ئېلىۋېلىڭلار."),
];
const GERMAN: [Said; 3] = [
    ("Anna", "Weiß jemand, wann die Fähre am Sonntag fährt und was sie für zwei mit Hund kostet?"),
    ("Bernd", "Ab Mai fährt sie um neun, so steht es auf der Tafel am Steg; Hunde fahren umsonst."),
    ("Clara", "Wir sind letztes Jahr gefahren. Nehmt etwas Warmes mit, der Wind ist kalt da draußen."),
];
const JAPANESE: [Said; 3] = [
    ("あおい", "日曜日の渡し船は何時に出ますか。二人と犬一匹でいくらかかるでしょうか。"),
    ("健太", "五月からは九時に出ると桟橋の看板に書いてあります。犬は無料です。"),
    ("さくら", "去年乗りました。海の上は風が冷たいので、上着を持って行くといいですよ。"),
];
const RUSSIAN: [Said; 3] = [
    ("Анна", "Кто знает, когда по воскресеньям ходит паром и сколько он стоит для двоих с собакой?"),
    ("Борис", "С мая он отходит в девять, так написано на доске у причала; собаки бесплатно."),
    ("Вера", "Мы плыли в прошлом году. Возьмите что-нибудь тёплое, там холодный ветер."),
];

/// How an engine writes a thread, and what is to be read from it.
struct Engine {
    name: &'static str,
    said: [Said; 3],
    /// Before and behind the posts.
    around: [&'static str; 2],
    /// A post: `N` is its number, `WHO` its writer, `SAID` its words, `QUOTE` what stands before them.
    post: &'static str,
    /// The quote of the second post: `WHO` and `SAID` are those of the first.
    quote: &'static str,
    /// The time of a post, without its number, which is its day.
    time: [&'static str; 2],
    numbered: bool,
}

fn engines() -> Vec<Engine> {
    let engine = |name, said, around, post| Engine {
        name,
        said,
        around,
        post,
        quote: "",
        time: ["2021-03-0", "T10:00"],
        numbered: true,
    };
    vec![
        Engine {
            quote: "<aside class='quote no-group' data-username=WHO data-post=1><blockquote><p>SAID</p></blockquote></aside>",
            time: ["2021-03-0", "T10:00:00Z"],
            ..engine(
                "Discourse, as crawlers get it",
                ENGLISH,
                [
                    "<meta name=generator content='Discourse 3.1'><div id=topic-title><h1><a href=/t/9>Sundays</a></h1></div>",
                    "<footer>Powered by Discourse</footer>",
                ],
                "<div id=post_N itemscope itemtype='http://schema.org/DiscussionForumPosting' class='topic-body crawler-post'>\
                 <div class=crawler-post-meta><span class=creator itemprop=author itemscope><a itemprop=url href='/u/uN'>\
                 <span itemprop=name>WHO</span></a></span> <span class=crawler-post-infos><time itemprop=datePublished \
                 datetime='2021-03-0NT10:00:00Z' class=post-time>March N, 2021, 10:00am</time> <span itemprop=position>N</span></span></div>\
                 <div class=post itemprop=text>QUOTE<p>SAID</p></div><div itemprop=interactionStatistic itemscope><meta content=1>\
                 <span class=post-likes>1 Like</span></div></div>",
            )
        },
        Engine {
            quote: "<aside class=quote data-username=WHO><blockquote><p>SAID</p></blockquote></aside>",
            time: ["2021-03-0", "T10:00:00Z"],
            ..engine(
                "Discourse in noscript",
                GERMAN,
                ["<body class='docked crawler'><noscript data-path=/t/9><h1>Sonntag</h1>", "</noscript>"],
                "<div class='topic-body crawler-post'><div class=crawler-post-meta><span class=creator itemprop=author>\
                 <a href='/u/uN'><span itemprop=name>WHO</span></a></span> <time datetime='2021-03-0NT10:00:00Z'>N. März 2021, 10:00</time>\
                 <span itemprop=position>N</span></div><div class=post>QUOTE<p>SAID</p></div></div>",
            )
        },
        Engine {
            quote: "<blockquote><p>@WHO said in <a href=/topic/9>Sundays</a>:</p><p>SAID</p></blockquote>",
            time: ["2021-03-0", "T10:00:00"],
            ..engine(
                "NodeBB",
                RUSSIAN,
                [
                    "<body class='page-topic template-topic'><meta name=generator content=NodeBB><h1 component=post/header>T</h1><ul component=topic class=posts>",
                    "</ul>",
                ],
                "<li component=post class='pt-4' data-index=N data-username='WHO'><div class='post-header'><strong><a href='/user/uN' \
                 data-username='WHO'>WHO</a></strong> <a href='/post/9N'><span class=timeago title='2021-03-0NT10:00:00.000Z'></span></a> \
                 <a href='#' class=post-index>#N</a></div><div class=content component=post/content>QUOTE<p>SAID</p></div>\
                 <div class=post-footer><a component=post/reply href=#>Reply</a> <a component=post/quote href=#>Quote</a> \
                 <span component=post/vote-count>0</span></div></li>",
            )
        },
        Engine {
            quote: "<blockquote class=uncited><div><p>SAID</p></div></blockquote>",
            time: ["2021-03-0", "T10:00:00Z"],
            numbered: false,
            ..engine(
                "Flarum",
                ENGLISH,
                ["<div class=container><h1>Sundays</h1><div>", "</div></div>"],
                "<article><div class=PostUser><h3 class=PostUser-name><a href='/u/uN'>WHO</a></h3></div><div class=Post-meta>\
                 <time datetime='2021-03-0NT10:00:00+00:00'>Mar N, 2021</time></div><div class=Post-body>QUOTE<p>SAID</p></div></article>",
            )
        },
        Engine {
            quote: "<div class=quote><blockquote><font size=2><a href='forum.php?mod=redirect&pid=1'><font color=#999999>WHO 发表于 2021-3-1 \
                    10:00</font></a></font><br>SAID</blockquote></div><br>",
            ..engine(
                "Discuz",
                CHINESE,
                [
                    "<body id=nv_forum class='pg_viewthread'><h1 class=ts><span id=thread_subject>渡轮</span></h1><div id=postlist>",
                    "</div><p>Powered by Discuz! X3.4</p>",
                ],
                "<div id=post_9N><table id=pid9N class=plhin><tr><td class=pls rowspan=2><div class='pls favatar'><div class=pi><div class=authi>\
                 <a href='home.php?mod=space&uid=N' class=xw1>WHO</a></div></div><p><em>新手上路</em></p><dl class=pil><dt>积分</dt><dd>1N0</dd>\
                 </dl></div></td><td class=plc><div class=pi><strong><a href='forum.php?pid=9N' id=postnum9N><em>N</em><sup>#</sup></a></strong>\
                 <div class=pti><div class=authi><em id=authorposton9N>发表于 2021-3-N 10:00</em> <span class=pipe>|</span> \
                 <a href='?authorid=N'>只看该作者</a></div></div></div><div class=pct><div class=pcb><div class=t_fsz><table><tr>\
                 <td class=t_f id=postmessage_9N>QUOTE SAID</td></tr></table></div></div></div></td></tr><tr><td class='plc plm'>\
                 <div class=sign>海上生明月</div></td></tr><tr><td class=pls></td><td class=plc><div class=pob><a href=#>回复</a> <a href=#>举报</a>\
                 </div></td></tr></table></div>",
            )
        },
        Engine {
            numbered: false,
            ..engine(
                "Discuz, archiver view",
                UYGHUR,
                [
                    "<body><div id=nav><a href=/>مۇنبەر</a> › <a href=/f>سەپەر</a></div><div id=content>",
                    "</div><div id=end>Powered by Discuz! Archiver</div>",
                ],
                "<p class=author><strong>WHO</strong> يوللانغان ۋاقتى 2021-3-N 10:00</p><h3></h3>SAID<br><br>",
            )
        },
        Engine {
            quote: "<blockquote class='blockquote quote2'><div class=quote><cite>引用第1楼WHO于2021-03-01 10:00发表的 :</cite></div>\
                    <div class=text>SAID</div></blockquote><br>",
            ..engine(
                "phpwind",
                CHINESE,
                [
                    "<body><div id=main><table class=read_t><tr><td>本页主题: 渡轮</td></tr></table>",
                    "</div><center>Powered by PHPWind v8.7</center>",
                ],
                "<div class='t5 t2'><table><tr class=tr1><th class=r_two rowspan=2><b><a href='u.php?uid=N'>WHO</a></b><br>级别: 侠客<br>\
                 发帖: N7<br>威望: N0 点<br>注册时间: 2019-0N-11<br>最后登录: 2022-0N-20</th><th class=r_one><div class=tiptop>\
                 <a class=s3 href=#>N楼</a> 发表于: 2021-03-0N 10:00</div><div class=tpc_content><div class=f14 id=read_9N>QUOTE SAID</div></div></th></tr>\
                 <tr class=tr1><th class=r_one><div class=tipad><a href=#>顶端</a> <a href=#>回复</a> <a href=#>引用</a></div></th></tr></table></div>",
            )
        },
        Engine {
            quote: "<blockquote><div><cite>WHO wrote: <a href=#p1>↑</a></cite>SAID</div></blockquote>",
            numbered: false,
            ..engine(
                "phpBB, prosilver",
                GERMAN,
                [
                    "<body id=phpbb class='section-viewtopic ltr'><h2 class=topic-title><a href=t>Sonntag</a></h2>",
                    "<div class=copyright>Powered by phpBB</div>",
                ],
                "<div id=p9N class='post has-profile bg2'><div class=inner><dl class=postprofile id=profile9N><dt><a href='memberlist.php?u=N' \
                 class=username>WHO</a></dt><dd class=profile-posts><strong>Beiträge:</strong> <a href=s>1N</a></dd><dd class=profile-joined>\
                 <strong>Registriert:</strong> Mo 4. Jan 2016, 12:0N</dd></dl><div class=postbody><div><h3><a href=#p9N>Re: Sonntag</a></h3>\
                 <ul class=post-buttons><li><a href=q title=Zitieren><span>Zitieren</span></a></li></ul><p class=author><span class=responsive-hide>\
                 von <strong><a href='memberlist.php?u=N' class=username>WHO</a></strong> » </span>2021-03-0N 10:00</p>\
                 <div class=content>QUOTE SAID</div><div class=signature>Immer am Steg, Stelle 1N</div></div></div></div></div>",
            )
        },
        Engine {
            quote: "<table><tr><td class=genmed><b>WHO wrote:</b></td></tr><tr><td class=quote>SAID</td></tr></table><br>",
            numbered: false,
            ..engine(
                "phpBB, subsilver",
                ENGLISH,
                [
                    "<a class=maintitle href=t>Sundays</a><table class=forumline><tr><th>Author</th><th>Message</th></tr>",
                    "</table><div>Powered by phpBB 2.0</div>",
                ],
                "<tr><td class=row1><span class=name><a name=9N></a><b>WHO</b></span><br><span class=postdetails>Guest<br>Joined: 0N Feb \
                 2011<br>Posts: 4N</span></td><td class=row1><table><tr><td><span class=postdetails>Posted: 2021-03-0N 10:00 &nbsp; \
                 Post subject: Sundays</span></td><td><a href=q>Quote</a></td></tr><tr><td colspan=2><hr></td></tr><tr><td colspan=2>\
                 <span class=postbody>QUOTE SAID</span></td></tr></table></td></tr><tr><td class=row1><a href=#top>Back to top</a></td>\
                 <td class=row1><a href=profile.php?u=N>View user's profile</a></td></tr><tr><td class=spaceRow colspan=2></td></tr>",
            )
        },
        Engine {
            quote: "<div style='margin:20px'><div class=smallfont>Quote:</div><table><tr><td class=alt2><div>Originally Posted by <strong>WHO\
                    </strong></div><div style='font-style:italic'>SAID</div></td></tr></table></div>",
            ..engine(
                "vBulletin 3",
                ENGLISH,
                ["<meta name=generator content='vBulletin 3.8'><div id=posts>", "</div>"],
                "<div class=page><div><table id=post9N class=tborder><tr><td class=thead><div class=normal style='float:right'>#<a \
                 href='showpost.php?p=9N' id=postcount9N><strong>N</strong></a></div><div class=normal>2021-03-0N, 10:00</div></td></tr>\
                 <tr><td class=alt2><div id=postmenu_9N><a class=bigusername href='member.php?u=N'>WHO</a></div><div class=smallfont>Junior Member\
                 </div><div class=smallfont><div>Join Date: Oct 201N</div><div>Location: Pier N</div><div>Posts: N</div></div></td></tr><tr>\
                 <td class=alt1 id=td_post_9N><div id=post_message_9N>QUOTE SAID</div></td></tr><tr><td class=alt1><a href=q>Reply With Quote</a></td>\
                 </tr></table></div></div>",
            )
        },
        Engine {
            quote: "<div class=bbcode_container><div class=bbcode_quote><div class=quote_container><div class=bbcode_postedby>Originally Posted \
                    by <strong>WHO</strong></div><div class=message>SAID</div></div></div></div>",
            ..engine(
                "vBulletin 4",
                ENGLISH,
                [
                    "<meta name=generator content='vBulletin 4.2'><h1>Sundays</h1><ol id=posts class=posts>",
                    "</ol>",
                ],
                "<li class='postbitlegacy postbitim postcontainer' id=post_9N><div class=posthead><span class=postdate><span class=date>2021-03-0N, \
                 <span class=time>10:00</span></span></span><span class=nodecontrols><a name=post9N href='t?p=9N' class=postcounter>#N</a></span></div>\
                 <div class=postdetails><div class=userinfo><div class=username_container><a class='username offline' href='member.php?N'>\
                 <strong>WHO</strong></a></div><span class=usertitle>Junior Member</span><dl class=userinfo_extra><dt>Join Date</dt><dd>Oct 201N\
                 </dd><dt>Posts</dt><dd>N</dd></dl></div><div class=postbody><div class=postrow><h2 class='title icon'>Re: Sundays</h2>\
                 <div class=content><div id=post_message_9N><blockquote class='postcontent restore'>QUOTE SAID</blockquote></div></div></div></div>\
                 </div><div class=postfoot><a href=q>Reply With Quote</a></div></li>",
            )
        },
        Engine {
            quote: "<div class=bbcode_container><div class=bbcode_quote><div class=quote_container><div class=bbcode_postedby>Originally posted \
                    by <strong>WHO</strong></div><div class=message>SAID</div></div></div></div>",
            time: ["2021-03-0", "T10:00:00"],
            ..engine(
                "vBulletin 5",
                RUSSIAN,
                [
                    "<meta name=generator content='vBulletin 5.6'><h1>T</h1><ul class='conversation-list list-container'>",
                    "</ul>",
                ],
                "<li class='b-post b-post--first js-post' itemscope itemtype='http://schema.org/Comment'><div class='l-row__fixed--left b-post__sidebar'>\
                 <div class='author h-text--semibold' itemprop=author itemscope><a href='/member/N-x'><span itemprop=name>WHO</span></a></div>\
                 <div class=usertitle>Member</div><ul><li>Join Date: Oct 201N</li><li>Posts: N</li></ul></div><div class=b-post__content>\
                 <div class=b-post__timestamp><time itemprop=dateCreated datetime='2021-03-0NT10:00:00'>0N.03.2021, 10:00</time></div>\
                 <a class=b-post__count href=#>#N</a><div class='js-post__content-text restore' itemprop=text>QUOTE SAID</div></div></li>",
            )
        },
        Engine {
            quote: "<div class='bbCodeBlock bbCodeQuote' data-author='WHO'><aside><div class='attribution type'>WHO said: <a href=#>↑</a></div>\
                    <blockquote class=quoteContainer><div class=quote>SAID</div></blockquote></aside></div>",
            ..engine(
                "XenForo 1",
                ENGLISH,
                ["<html id=XenForo><h1>Sundays</h1><ol class=messageList id=messageList>", "</ol>"],
                "<li id=post-9N class=message data-author='WHO'><div class=messageUserInfo><div class=messageUserBlock><h3 class=userText>\
                 <a href='members/u.N/' class=username>WHO</a><em class=userTitle>Member</em></h3><div class=extraUserInfo><dl><dt>Joined:</dt>\
                 <dd>Oct 3, 201N</dd></dl></div></div></div><div class='messageInfo primaryContent'><div class=messageContent><article>\
                 <blockquote class='messageText SelectQuoteContainer ugc baseHtml'>QUOTE SAID</blockquote></article></div><div class=messageMeta>\
                 <span class='item muted'><a href='members/u.N/' class='username author'>WHO</a>, <a href='#p' class=datePermalink>\
                 <span class=DateTime title='2021-03-0N 10:00'>2021-03-0N 10:00</span></a></span> <a href='#post-9N' class='item muted postNumber hashPermalink'>#N</a></div></div></li>",
            )
        },
        Engine {
            quote: "<blockquote class='bbCodeBlock bbCodeBlock--quote' data-quote='WHO'><div class=bbCodeBlock-title><a href=#>WHO said:</a></div>\
                    <div class=bbCodeBlock-content><div class=bbCodeBlock-expandContent>SAID</div></div></blockquote>",
            time: ["2021-03-0", "T10:00:00Z"],
            ..engine(
                "XenForo 2",
                JAPANESE,
                [
                    "<html id=XF class=template-thread_view><h1 class=p-title-value>T</h1><div class='block-body js-replyNewMessageContainer'>",
                    "</div>",
                ],
                "<article class='message message--post' data-author='WHO' id=js-post-9N><div class=message-inner><div class='message-cell message-cell--user'>\
                 <h4 class=message-name><a href='/members/N/' class=username>WHO</a></h4><h5 class='userTitle message-userTitle'>Member</h5>\
                 <dl class='pairs pairs--justified'><dt>Joined</dt><dd>Oct 3, 201N</dd></dl></div><div class='message-cell message-cell--main'>\
                 <header class=message-attribution><time class=u-dt datetime='2021-03-0NT10:00:00+0000'>Mar N, 2021</time> <a href='#post-9N'>#N</a></header>\
                 <div class=message-content><article class=message-body><div class=bbWrapper>QUOTE SAID</div></article></div><footer class=message-footer>\
                 <a class=actionBar-action href=#>Report</a> <a class=actionBar-action href=#>Reply</a></footer></div></div></article>",
            )
        },
        Engine {
            quote: "<blockquote class=mycode_quote><cite><span> (2021-03-01, 10:00)</span>WHO Wrote: <a href=#>→</a></cite>SAID</blockquote>",
            ..engine(
                "MyBB",
                ENGLISH,
                ["<body><div id=posts>", "</div><div id=powered_by>Powered By <a href=m>MyBB</a></div>"],
                "<a name=pid9N></a><div class=post id=post_9N><div class='post_author scaleimages'><div class=author_information><strong>\
                 <span class=largetext><a href='member.php?action=profile&uid=N'>WHO</a></span></strong><br><span class=smalltext>Junior Member</span></div>\
                 <div class=author_statistics>Posts: N<br>Threads: 1<br>Joined: Oct 201N</div></div><div class=post_content><div class=post_head>\
                 <div class=float_right><strong><a href='#pid9N'>#N</a></strong></div><span class=post_date>2021-03-0N, 10:00</span></div>\
                 <div class='post_body scaleimages' id=pid_9N>QUOTE SAID</div></div><div class=post_controls><a class=postbit_quote href=#><span>Reply</span></a></div></div>",
            )
        },
        Engine {
            quote: "<div class=quoteheader><div class=topslice_quote><a href=#>Quote from: WHO on 2021-03-01, 10:00</a></div></div><blockquote \
                    class=bbc_standard_quote>SAID</blockquote>",
            ..engine(
                "SMF",
                RUSSIAN,
                ["<body><div id=forumposts>", "</div><div>Powered by SMF 2.0</div>"],
                "<div class=windowbg><div class=post_wrapper><div class=poster><h4><a href='index.php?action=profile;u=N'>WHO</a></h4><ul>\
                 <li class=membergroup>Newbie</li><li class=postcount>Posts: N</li></ul></div><div class=postarea><div class=flow_hidden>\
                 <div class=keyinfo><h5><a href='#msg9N'>Re: T</a></h5><div class=smalltext>« <strong>Reply #N on:</strong> 2021-03-0N, 10:00 »</div></div></div>\
                 <div class=post><div class=inner id=msg_9N>QUOTE SAID</div></div></div><div class=moderatorbar><div class=smalltext><a href=r>Report to \
                 moderator</a></div></div></div></div>",
            )
        },
        Engine {
            quote: "<blockquote class=ipsQuote data-ipsquote-username='WHO'><div class=ipsQuote_citation>On 3/1/2021 at 10:00 AM, WHO said:</div>\
                    <div class=ipsQuote_contents><p>SAID</p></div></blockquote>",
            time: ["2021-03-0", "T10:00:00Z"],
            ..engine(
                "Invision",
                GERMAN,
                [
                    "<link rel=canonical href='https://example.org/topic/9-sonntag/'><body class='ipsApp ipsApp_front' data-pageModule=forums><h1>Sonntag</h1><div id=elPostFeed><form>",
                    "</form></div><a>Powered by Invision Community</a>",
                ],
                "<article id=elComment_9N class='cPost ipsBox ipsComment'><aside class='ipsComment_author cAuthorPane'><h3 class='cAuthorPane_author'>\
                 <strong><a href='/profile/N-u/'>WHO</a></strong></h3><ul class=cAuthorPane_info><li>Mitglied</li><li>N7 Beiträge</li></ul></aside>\
                 <div class=ipsColumn><div class=ipsComment_meta><a href='?comment=9N' class=ipsComment_number>#N</a> <p>Geschrieben <time \
                 datetime='2021-03-0NT10:00:00Z' title='0N.03.2021 10:00'>N. März 2021</time></p></div><div class=cPost_contentWrap>\
                 <div class='ipsType_normal ipsType_richText' data-role=commentContent>QUOTE<p>SAID</p></div></div><ul class=ipsComment_controls>\
                 <li><a href=#>Zitieren</a></li></ul></div></article>",
            )
        },
        Engine {
            numbered: false,
            time: ["2021-03-0", "T10:00:00"],
            ..engine(
                "tables in the manner of Hacker News",
                ENGLISH,
                [
                    "<link rel=canonical href='https://news.ycombinator.com/item?id=9'><table id=hnmain><tr><td><a href=news>news</a> <a href=newest>new</a>\
                  </td></tr><tr><td><table class=fatitem><tr class=athing><td class=title><span class=titleline><a href=http://example.org>Sundays</a></span>\
                  </td></tr></table><table class=comment-tree>",
                    "</table></td></tr></table>",
                ],
                "<tr class='athing comtr' id=9N><td><table><tr><td class=ind><img src=s.gif></td><td class=votelinks><a href=vote><div class=votearrow></div></a></td>\
                 <td class=default><div><span class=comhead><a href='user?id=uN' class=hnuser>WHO</a> <span class=age title='2021-03-0NT10:00:00'>\
                 <a href='item?id=9N'>N days ago</a></span> <span class=navs>| <a href=#>next</a> <a class=togg href=#>[–]</a></span></span></div>\
                 <br><div class=comment><div class='commtext c00'>SAID</div><div class=reply><p><font size=1><u><a href='reply?id=9N'>reply</a></u></font></div></div>\
                 </td></tr></table></td></tr>",
            )
        },
        Engine {
            numbered: false,
            time: ["2021-03-0", "T10:00:00Z"],
            ..engine(
                "Reddit, old",
                ENGLISH,
                [
                    "<link rel=canonical href='https://www.reddit.com/r/boats/comments/9/sundays/'><div class=commentarea><div class='sitetable nestedlisting'>",
                    "</div></div>",
                ],
                "<div class='thing id-t1_9N noncollapsed comment' data-type=comment><div class='midcol unvoted'><div class='arrow up'></div></div>\
                 <div class='entry unvoted'><p class=tagline><a href=# class=expand>[–]</a><a href='/user/uN' class='author'>WHO</a> <span class='score unvoted'>\
                 N points</span> <time title='x' datetime='2021-03-0NT10:00:00+00:00'>3 years ago</time></p><form class=usertext><div class='usertext-body'>\
                 <div class=md><p>SAID</p></div></div></form><ul class='flat-list buttons'><li><a href=p>permalink</a></li><li><a href=r>reply</a></li></ul>\
                 </div><div class=child></div></div>",
            )
        },
        Engine {
            numbered: false,
            time: ["2021-03-0", "T10:00:00Z"],
            ..engine(
                "Reddit, new",
                ENGLISH,
                [
                    "<link rel=canonical href='https://www.reddit.com/r/boats/comments/9/sundays/'><main><shreddit-comment-tree>",
                    "</shreddit-comment-tree></main>",
                ],
                "<shreddit-comment author='WHO' depth=0><div slot=commentMeta><a href='/user/uN/'>WHO</a> • <a href='/r/c/9N/'><faceplate-timeago>\
                 <time datetime='2021-03-0NT10:00:00.000000+0000'>3y ago</time></faceplate-timeago></a></div><div id=t1_9N-comment-rtjson-content slot=comment>\
                 <div class='py-0 inline-block'><p>SAID</p></div></div><shreddit-comment-action-row><button>Reply</button> <button>Share</button>\
                 </shreddit-comment-action-row></shreddit-comment>",
            )
        },
        Engine {
            time: ["2021-03-0", "T10:00"],
            ..engine(
                "bbPress, whose heads stand before the posts",
                ENGLISH,
                [
                    "<body class='topic bbpress single'><h1>Sundays</h1><ul id=topic-9-replies class='forums bbp-replies'><li class=bbp-header><div class=bbp-reply-author>\
                  Author</div><div class=bbp-reply-content>Posts</div></li><li class=bbp-body>",
                    "</li></ul>",
                ],
                "<div id=post-9N class=bbp-reply-header><div class=bbp-meta><span class=bbp-reply-post-date>2021-03-0N at 10:00</span> \
                 <a href='#post-9N' class=bbp-reply-permalink>#90N</a></div></div><div class='odd bbp-parent-forum-3 post-9N topic type-topic'>\
                 <div class=bbp-reply-author><a href='/users/uN/' class=bbp-author-name>WHO</a><div class=bbp-author-role>Participant</div></div>\
                 <div class=bbp-reply-content><p>SAID</p></div></div>",
            )
        },
        Engine {
            numbered: true,
            ..engine(
                "lines that number, name the thread, sign and date",
                CHINESE,
                ["<body><h1>棋友档案馆</h1><h2>周日的渡轮几点开，谁知道？</h2>", "<p>档案</p>"],
                "<p>#N Re:周日的渡轮几点开，谁知道？ 作者：WHO 发表时间：2021-3-N 10:00</p><div>SAID</div>",
            )
        },
    ]
}

impl Engine {
    fn page(&self) -> String {
        let mut posts = String::new();
        for (at, (who, said)) in self.said.iter().enumerate() {
            let (first, words) = self.said[0];
            let quote =
                if at == 1 { self.quote.replace("WHO", first).replace("SAID", words) } else { String::new() };
            let number = (at + 1).to_string();
            posts +=
                &each(self.post, &number).replace("WHO", who).replace("QUOTE", &quote).replace("SAID", said);
        }
        let [before, behind] = self.around;
        format!("{before}{posts}{behind}")
    }
}

/// Puts a number in for each `N` that stands alone or at the end of a number, not in a word.
fn each(post: &str, number: &str) -> String {
    let mut out = String::new();
    let mut letters = post.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        let is_word = |c: char| c.is_ascii_alphabetic();
        let next = letters.peek().copied().unwrap_or(' ');
        let is_number = letter == 'N'
            && (!is_word(before) || before == 'u' || before == 't' && next != 'e')
            && (!is_word(next) || next == 'T');
        if is_number {
            out += number
        } else {
            out.push(letter)
        }
        before = letter;
    }
    out
}

fn said(post: &Post, page: &Page<'_>) -> (String, String) {
    let text = |places: &[usize]| {
        let lines = places.iter().filter_map(|place| page.blocks().get(*place)).map(|block| page.text(block));
        lines.collect::<Vec<_>>().join("\n")
    };
    let quoted: Vec<usize> = post.quotes.iter().flat_map(|quote| quote.blocks.clone()).collect();
    let own: Vec<usize> = post.body.iter().copied().filter(|place| !quoted.contains(place)).collect();
    (text(&own), text(&quoted))
}

#[test]
fn threads_of_many_engines() {
    let mut wrong = Vec::new();
    for engine in engines() {
        let html = engine.page();
        let page = Page::parse(&html);
        let posts = find(&page);
        let mut miss = |what: &str, found: String| wrong.push(format!("{}: {what}: {found}", engine.name));
        if posts.len() != 3 {
            let texts: Vec<String> = posts.iter().map(|post| post.text(&page)).collect();
            miss("posts", format!("{} {texts:?}", posts.len()));
            continue;
        }
        for (at, (post, (who, words))) in posts.iter().zip(engine.said).enumerate() {
            if post.author.as_deref() != Some(who) {
                miss("author", format!("{:?}, not {who}", post.author));
            }
            let [before, behind] = engine.time;
            let time = Some(format!("{before}{}{behind}", at + 1));
            if post.time != time {
                miss("time", format!("{:?}, not {time:?}", post.time));
            }
            let is_number = post.number.is_some_and(|number| number as usize % 100 == at + 1);
            if is_number != engine.numbered {
                miss("number", format!("{:?}", post.number));
            }
            let (own, quoted) = said(post, &page);
            if own != words {
                miss("words", own);
            }
            let quotes = at == 1 && !engine.quote.is_empty();
            let (first, first_words) = engine.said[0];
            if quotes != quoted.contains(first_words) {
                miss("quote", quoted);
            }
            let named = quotes && engine.quote.contains("WHO");
            if post.reply_to.as_deref() != named.then_some(first) {
                miss("reply to", format!("{:?}", post.reply_to));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// A question with two answers, the second of them accepted, and remarks below each.
#[test]
fn remarks_below_answers_are_none_of_them() {
    let remarks = |n: usize| {
        format!(
            "<div id=comments-{n} class=comments><ul class=comments-list><li class=comment><div class='comment-text'><span class=comment-copy>\
             Have you asked at the harbour office, pier {n}?</span> – <a href='/users/9{n}/dora' class=comment-user>Dora</a> \
             <span class=comment-date><span title='2021-03-0{n} 12:00:00Z'>Mar {n}, 2021 at 12:00</span></span></div></li></ul></div>"
        )
    };
    let user = |n: usize, did: &str| {
        format!(
            "<div class=post-signature><div class=user-info><div class=user-action-time>{did} <span title='2021-03-0{n} 10:00:00Z' \
             class=relativetime>Mar {n}, 2021 at 10:00</span></div><div class=user-details itemprop=author itemscope><a href='/users/{n}/u'>{}</a>\
             <div><span class=reputation-score>1{n}1</span></div></div></div></div>",
            ENGLISH[n - 1].0
        )
    };
    let cell = |n: usize, did: &str| {
        format!(
            "<div class=post-layout><div class='votecell'><div class=js-vote-count>{n}</div></div><div class='postcell post-layout--right'>\
             <div class='s-prose js-post-body'><p>{}</p></div>{}</div>{}</div>",
            ENGLISH[n - 1].1,
            user(n, did),
            remarks(n)
        )
    };
    let html = format!(
        "<link rel=canonical href='https://example.org/questions/9/sundays'><body class='question-page'><div id=question-header><h1>Sundays</h1></div>\
         <div id=question class=question>{}</div><div id=answers><h2>2 Answers</h2><div id=answer-2 class='answer js-answer'>{}</div>\
         <div id=answer-3 class='answer js-answer accepted-answer'>{}</div></div>",
        cell(1, "asked"),
        cell(2, "answered"),
        cell(3, "answered")
    );
    let page = Page::parse(&html);
    let posts = find(&page);
    let found: Vec<_> =
        posts.iter().map(|post| (post.author.as_deref().unwrap_or("?"), post.text(&page))).collect();
    let wanted: Vec<_> = ENGLISH.iter().map(|(who, said)| (*who, (*said).to_owned())).collect();
    assert_eq!(found, wanted);
    assert!(posts.iter().all(|post| post.time.as_deref().is_some_and(|time| time.contains("T10:00"))));
}

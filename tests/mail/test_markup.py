"""HTML to lines."""

import pytest

from pbem.mail.reading.markup import to_text


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<div>Red: move 14</div><div>Blue: hold</div>", "Red: move 14\nBlue: hold"),
        ("<p>Red: move 14</p>\n<p>Blue: hold</p>", "Red: move 14\nBlue: hold"),
        ("Red: move 14<br>Blue: hold<br/>", "Red: move 14\nBlue: hold"),
        ("<P CLASS=x>Red:<o:p> move 14</o:p></P>", "Red: move 14"),
        ("Red:\n  move\n  14", "Red: move 14"),
        ("<p>Red: hold</p> <p><o:p>&nbsp;</o:p></p><p>Blue: hold</p>", "Red: hold\n\nBlue: hold"),
        ("Red: hold<div>-- <br></div>Ann<div>--</div>", "Red: hold\n-- \nAnn\n--"),
        ("<div>--&nbsp;</div>Ann", "-- \nAnn"),
        ("<pre>Red: move 14\nBlue: hold</pre>", "Red: move 14\nBlue: hold"),
        ('<div style="white-space: pre-wrap">Red: move 14\nBlue: hold</div>', "Red: move 14\nBlue: hold"),
        *(
            (f'<{tag} style="white-space:{kind}">Red: move 14\nBlue: hold</{tag}>', "Red: move 14\nBlue: hold")
            for tag in ("p", "span", "td", "body", "div", "li")
            for kind in ("pre-wrap", "pre-line", " break-spaces")
        ),
        ('<pre>Red:\n<span style="white-space:normal">move\n14</span>\nBlue</pre>', "Red:\nmove 14\nBlue"),
        ('<div style="white-space:pre">Red\nBlue</div>Green:\nhold', "Red\nBlue\nGreen: hold"),
        ("Hi<textarea>Red: move 14\nBlue: hold</textarea>Bye", "Hi\nRed: move 14\nBlue: hold\nBye"),
        ("<xmp>Red: move 14\nBlue: hold</xmp>", "Red: move 14\nBlue: hold"),
        ("R<b>e</b>d: m<span>o</span>ve&nbsp;14", "Red: move 14"),
        ("<tr><td>Red</td><td>move 14</td></tr><tr><th>Blue</th><td>hold</td></tr>", "Red move 14\nBlue hold"),
        ("<ul><li>Red: hold<li>Blue: hold</ul>", "Red: hold\nBlue: hold"),
        ("&lt;Red&gt; &amp; &#66;lue&excl;", "<Red> & Blue!"),
        ('<a href="http://x/?a=1&b=2" title="a > b">Red</a>: hold', "Red: hold"),
        ("<a title=it's>Red</a>: don't <i title=it's>go</i>", "Red: don't go"),
        ("1 < 2 and <3", "1 < 2 and <3"),
        ("<style>p { x }</style><title>t</title><script>if (a<b) {}</script>Red: hold", "Red: hold"),
        ("<!-- <p>no</p> -->Red<!DOCTYPE x><?xml y?>: <![if !a]>hold<![endif]>", "Red: hold"),
        ("<!-->Red<!--->: hold<!-- no -->", "Red: hold"),
        ("Red<!-- no --!>: hold<!--!> no -->", "Red: hold"),
        ("</div>", ""),
        ("", ""),
        ("Red: hold<b", "Red: hold"),
        ("Red: hold<!-- never ends", "Red: hold"),
    ],
)
def test_page_is_read_as_it_looks(page: str, text: str) -> None:
    assert to_text(page) == text


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (
            "mine<blockquote>old<br>older<blockquote>oldest</blockquote></blockquote>mine",
            "mine\n> old\n> older\n> > oldest\nmine",
        ),
        ('<div class="yahoo_quoted"><div>old</div>old</div><div>mine</div>', "> old\n> old\nmine"),
        ('mine<div id="divRplyFwdMsg"><b>From:</b> x</div><div>old</div>', "mine\n> From: x\n> old"),
        ("</blockquote><blockquote></div>old</blockquote>mine", "> old\nmine"),
        ('mine<div class="yahoo_quoted"><div>old</div></div></div><div>old</div>', "mine\n> old\n> old"),
        ("mine<div class=gmail_quote><div class=gmail_attr>X:</div>old</div>", "mine\n> > X:\n> old"),
        (
            "<div class=gmail_quote><div class=gmail_attr>X:</div><blockquote>old</blockquote>mine</div>",
            "> X:\n> old\nmine",
        ),
        ('mine<div class="protonmail_quote">X:<div>old</div></div>', "mine\n> X:\n> old"),
        ('mine<div id="mail-editor-reference-message-container"></div><div>old</div>', "mine\n> old"),
        ('mine<div id="appendonsend"></div><hr><div>old</div>', "mine\n> old"),
        ('mine<div name="quote" style="x"><div>old</div></div><div name="quote-me">mine</div>', "mine\n> old\nmine"),
        ('mine<div cite="mid:x" type="cite"><div>old</div></div>mine', "mine\n> old\nmine"),
        ("mine<div><includetail><div>old</div></includetail></div>", "mine\n> old"),
        ('mine<div id="isReplyContent" class="ntes-mailmaster-quote">old</div>', "mine\n> old"),
        ('mine<div id="isForwardContent">old</div>', "mine\n> old"),
        ('mine<div class="OutlookMessageHeader">X:</div><div>old</div>', "mine\n> X:\n> old"),
        ('mine<hr id="zwchr"><div>old</div>', "mine\n> old"),
        ('<div class="moz-cite-prefix">X:<br></div><blockquote type=cite>old</blockquote>mine', "> X:\n> old\nmine"),
    ],
)
def test_quotations_are_marked(page: str, text: str) -> None:
    assert to_text(page) == text


INDENT = '<blockquote style="margin:0 0 0 40px;border:none;padding:0px">'


@pytest.mark.parametrize(
    "indent",
    [
        INDENT,
        '<blockquote style="margin: 0 0 0 40px; border: none; padding: 0px;">',
        '<blockquote style="margin-top:0;margin-bottom:0">',
        "<blockquote dir='ltr' style='margin-left:30px'>",
    ],
)
def test_indented_text_is_the_writer_s_own(indent: str) -> None:
    page = f"<div>Red: hold</div>{indent}<div>Blue: hold</div>{indent}Green: hold</blockquote></blockquote>Iron: hold"
    assert to_text(page) == "Red: hold\nBlue: hold\nGreen: hold\nIron: hold"
    assert to_text(f"My orders:{indent}Blue: hold</blockquote>") == "My orders:\nBlue: hold"
    assert to_text(f"<blockquote type=cite>a{indent}b</blockquote>c</blockquote>d") == "> a\n> > b\n> c\nd"


@pytest.mark.parametrize(
    "lead",
    [
        "On 30/11/2026 18:04, Ann wrote:",
        "Ann wrote:",
        "Më 30.11.2026, Ana Marku shkroi:",
        "ana@x.example shkroi:<br><br>",
        "-----Original Message-----",
        "Nga: Ana &lt;ana@x.example&gt;<br>Dërguar: 30.11.2026 18:04<br>Për: Ben",
        "<div class=gmail_attr>On 30/11/2026 Ann wrote:</div>",
    ],
)
def test_indented_text_below_a_lead_is_a_quotation(lead: str) -> None:
    assert to_text(f"Red: hold<p>{lead}</p>{INDENT}old</blockquote>mine").endswith("> old\nmine")


@pytest.mark.parametrize(
    "attributes",
    [
        "",
        ' style="margin:0 0 0 .8ex;border-left:1px #ccc solid"',
        ' type="cite" style="margin:0"',
        ' cite="x"',
        ' style="color:grey"',
        ' class="q" style="margin:0"',
        ' style="border-left-width:2px;margin:1em"',
    ],
)
def test_other_block_quotes_are_quotations(attributes: str) -> None:
    assert to_text(f"mine<blockquote{attributes}>old</blockquote>mine") == "mine\n> old\nmine"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ('<div style="display:none">no<div>no</div>no</div>Red', "Red"),
        ("<span style='visibility: hidden'>no</span>Red", "Red"),
        ('<span style="font-size:0px">no</span>Red', "Red"),
        ('<td style="font-size:0"><b style="font-size:12px">Red</b></td>', "Red"),
        ('<div style="display:none"><b style="font-size:12px">no</b></div>Red', "Red"),
        ('<img style="display:none">Red', "Red"),
        ('<p style="display:none">no<p>Red', "Red"),
        ('<span style="font-size:0.9em">Red</span>', "Red"),
        ("<p><s>Red: hold</s></p><p>Blue: move <del>13</del> 14 <strike>or 15</strike></p>", "Blue: move 14"),
        ('<span style="text-decoration:line-through">Red</span>Blue', "Blue"),
        ("<blockquote><s>no</blockquote>no</s>Red", "Red"),
        ('<div><span style="display:none">no</div><div>Red</div>', "Red"),
        ('<div><span style="display:none">no<i>no</div>Red', "Red"),
        ('<table><tr><td><span style="display:none">no</td><td>Red</td></tr></table>Blue', "Red\nBlue"),
        ('<table><tr><td style="display:none">no<td>Red<tr><td>Blue</table>', "Red\nBlue"),
        ('<ul><li style="display:none">no<ul><li>no</ul>no<li>Red</ul>', "Red"),
        ('<dl><dt style="display:none">no<dd>Red</dl>', "Red"),
        ('<div style="display:none"><table><tr><td>no</div>no</table>no</div>Red', "Red"),
        ('<p>Red<span style="display:none">no<div>Blue</div>', "Red\nBlue"),
        ('<div style="display:none">no</span></b></p>no</div>Red', "Red"),
        ("<p><s>no<p>no</s>Red", "Red"),
        ("<s><p>no</s>Red", "Red"),
        ("<div><del>no</div>Red", "Red"),
        ('<b><div style="display:none">no</b>no</div>Red', "Red"),
        ('<div style="font-size:0">no<b style="font-size:9px">Red</b>no</div>', "Red"),
    ],
)
def test_what_is_hidden_or_struck_out_is_not_read(page: str, text: str) -> None:
    assert "\n".join(line for line in to_text(page).split("\n") if line.strip("> ")) == text


@pytest.mark.parametrize(
    "piece",
    [
        "<!--",
        "<!",
        "<a ",
        '<a "',
        "<a =",
        "<div>",
        "</div>",
        "<style>",
        "<",
        "&",
        "<blockquote>",
        "<p><s>",
        "<div><s></div>",
        f"On 30 Nov 2026{INDENT}",
    ],
)
def test_page_of_nothing_but_broken_markup_is_read_in_no_time(piece: str) -> None:
    # A reader that looks at the rest of the page again for each piece would need minutes.
    to_text(piece * (250_000 // len(piece)))

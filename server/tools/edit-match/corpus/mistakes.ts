/**
 * Corpus: common mistakes in old_string: line numbers, fences, entities, escapes, empty lines, diff signs.
 * Expectations by hand.
 */
import type { CaseGroup } from "./case";

const numbersMistake = { slip: "numbers" } as const;
const fenceMistake = { slip: "fence" } as const;
const entitiesMistake = { slip: "entities" } as const;
const escapesMistake = { slip: "escapes" } as const;
const blankMistake = { slip: "blank" } as const;
const diffMistake = { slip: "diff" } as const;

export const lineNumbers: CaseGroup = {
  about: "line numbers copied from read",
  matches: [
    ["one line", "const x = 1;\n", "12\tconst x = 1;", "const x = 2;", "const x = 2;\n", numbersMistake],
    [
      "one line, new_string as well",
      "const x = 1;\n",
      "1\tconst x = 1;",
      "1\tconst x = 2;",
      "const x = 2;\n",
      numbersMistake,
    ],
    [
      "a block, a line added",
      "a\nb()\nc()\n",
      "2\tb()\n3\tc()\n",
      "2\tb()\n3\tx()\n4\tc()\n",
      "a\nb()\nx()\nc()\n",
      numbersMistake,
    ],
    [
      "indentation after the number",
      "f {\n  b()\n  c()\n}\n",
      "2\t  b()\n3\t  c()",
      "  b()\n  d()",
      "f {\n  b()\n  d()\n}\n",
      numbersMistake,
    ],
    ["right-aligned numbers", "a()\nb()\n", "   9\ta()\n  10\tb()", "a()\nc()", "a()\nc()\n", numbersMistake],
    [
      "a number alone for an empty line",
      "a()\n\nb()\n",
      "1\ta()\n2\n3\tb()",
      "1\ta()\n2\n3\tc()",
      "a()\n\nc()\n",
      numbersMistake,
    ],
    ["Windows line ends", "a()\r\nb()\r\n", "1\ta()\n2\tb()", "1\ta()\n2\tc()", "a()\r\nc()\r\n", numbersMistake],
    ["a bar, at the line it names", "a()\nb()\n", "2 | b()", "2 | c()", "a()\nc()\n", numbersMistake],
    ["a colon, at the line it names", "a()\nb()\n", "1:a()\n2:b()", "a()\nc()", "a()\nc()\n", numbersMistake],
    [
      "an arrow, at the line it names",
      "a()\nb()\n",
      "     1\u2192a()\n     2\u2192b()",
      "     1\u2192a()\n     2\u2192c()",
      "a()\nc()\n",
      numbersMistake,
    ],
    ["a line taken out", "a()\nb()\n", "1\ta()\n", "", "b()\n", numbersMistake],
  ],
  refusals: [
    ["a line without a number", "a()\nb()\n", "1\ta()\nb()", "x", "no_match", "Leave the line numbers out"],
    ["numbers that do not count up", "a()\nb()\n", "1\ta()\n3\tb()", "x", "no_match", "Leave the line numbers out"],
    [
      "new_string numbered in part",
      "a()\nb()\n",
      "1\ta()\n2\tb()",
      "1\ta()\nc()",
      "no_match",
      "Leave the line numbers out",
    ],
    ["two matches, one of them at that number", "a()\nb()\na()\n", "3\ta()", "c()", "ambiguous", "lines 1 and 3"],
    [
      "two matches with replace_all",
      "a()\nb()\na()\n",
      "3\ta()",
      "c()",
      "ambiguous",
      "Copy the lines exactly",
      { all: true },
    ],
    ["a row of a table that has another number", "2\tfoo\n", "1\tfoo", "1\tbar", "no_match", "1\t2\tfoo"],
    ["a part of a line", "a = foo()\n", "1\tfoo()", "bar()", "no_match", "1\ta = foo()"],
    ["a colon that may be code", '{\n  "ok"\n}\n', '200: "ok"', '200: "fine"', "no_match", "was not found"],
    ["a bar at another line", "a()\nb()\n", "7 | b()", "7 | c()", "no_match", "Leave the line numbers out"],
  ],
};

export const fences: CaseGroup = {
  about: "Markdown fences",
  matches: [
    ["both strings in fences", "a();\nb();\n", "```js\na();\n```", "```js\nc();\n```", "c();\nb();\n", fenceMistake],
    [
      "only old_string in a fence",
      "a();\nb();\n",
      "```\na();\nb();\n```\n",
      "a();\nc();\n",
      "a();\nc();\n",
      fenceMistake,
    ],
    ["tildes", "a();\nb();\n", "~~~ts\nb();\n~~~", "~~~ts\nc();\n~~~", "a();\nc();\n", fenceMistake],
    [
      "indentation inside the fence",
      "{\n  a();\n}\n",
      "```\n  a();\n```",
      "```\n  b();\n```",
      "{\n  b();\n}\n",
      fenceMistake,
    ],
    [
      "a fence around line numbers",
      "a();\nb();\n",
      "```\n1\ta();\n2\tb();\n```",
      "```\n1\ta();\n2\tc();\n```",
      "a();\nc();\n",
      numbersMistake,
    ],
    ["lines taken out", "a();\nb();\n", "```js\na();\n```", "", "b();\n", fenceMistake],
  ],
  refusals: [
    ["a fence that is not closed", "a();\nb();\n", "```js\na();", "b();", "no_match", "Markdown fence"],
    ["a fence around other text", "a();\nb();\n", "```js\nz();\n```", "b();", "no_match", "Markdown fence"],
    [
      "a fence around a text with two matches",
      "a();\nb();\na();\n",
      "```js\na();\n```",
      "c();",
      "ambiguous",
      "lines 1 and 3",
    ],
    ["an opened fence in new_string", "a();\n", "```js\na();\n```", "```js\nb();", "no_match", "Markdown fence"],
    ["two fences", "a();\nb();\n", "```\na();\n```\n```\nb();\n```", "c();", "no_match", "Markdown fence"],
  ],
};

export const htmlEntities: CaseGroup = {
  about: "HTML entities",
  matches: [
    [
      "less-than and ampersands",
      "if (a < b && c) go();\n",
      "if (a &lt; b &amp;&amp; c) go();",
      "if (a &lt;= b) go();",
      "if (a <= b) go();\n",
      entitiesMistake,
    ],
    [
      "new_string as it is",
      "if (a < b) go();\n",
      "if (a &lt; b) go();",
      "if (a <= b) go();",
      "if (a <= b) go();\n",
      entitiesMistake,
    ],
    ["a part of a line", "x = a && b;\n", "a &amp;&amp; b", "a || b", "x = a || b;\n", entitiesMistake],
    ["tags", "<p>hi</p>\n", "&lt;p&gt;hi&lt;/p&gt;", "&lt;b&gt;hi&lt;/b&gt;", "<b>hi</b>\n", entitiesMistake],
    [
      "an entity of the file encoded twice",
      "<p>a &lt; b</p>\n",
      "&lt;p&gt;a &amp;lt; b&lt;/p&gt;",
      "&lt;p&gt;a &amp;gt; b&lt;/p&gt;",
      "<p>a &gt; b</p>\n",
      entitiesMistake,
    ],
    ["quotes", 'p("a") && q\n', "p(&quot;a&quot;) &amp;&amp; q", "p(&#39;a&#x27;)", "p('a')\n", entitiesMistake],
  ],
  refusals: [
    ["old_string encoded in part", "a < b && c\n", "a &lt; b && c", "x", "no_match", "HTML entities"],
    ["new_string encoded in part", "a < b\n", "a &lt; b", "a &lt; b && c", "no_match", "HTML entities"],
    ["two matches", "a < b\na < b\n", "a &lt; b", "c", "ambiguous", "lines 1 and 2"],
    ["other words", "a < b\n", "a &lt; c", "x", "no_match", "HTML entities"],
  ],
};

export const writtenOutEscapes: CaseGroup = {
  about: "escapes written out",
  matches: [
    ["line breaks", "a();\nb();\nc();\n", "a();\\nb();", "a();\\nx();", "a();\nx();\nc();\n", escapesMistake],
    [
      "line breaks and tabs",
      "if a {\n\tb()\n}\n",
      "if a {\\n\\tb()\\n}",
      "if a {\\n\\tc()\\n}",
      "if a {\n\tc()\n}\n",
      escapesMistake,
    ],
    ["line breaks in old_string alone", "a();\nb();\nc();\n", "a();\\nb();", "x();", "x();\nc();\n", escapesMistake],
    ["line breaks, new_string right", "a();\nb();\n", "a();\\nb();", "a();\nx();", "a();\nx();\n", escapesMistake],
    ["double quotes", 'p("a", 1)\n', 'p(\\"a\\", 1)', 'p(\\"b\\", 1)', 'p("b", 1)\n', escapesMistake],
    ["double quotes, new_string right", 'p("a", 1)\n', 'p(\\"a\\", 1)', 'p("b", 1)', 'p("b", 1)\n', escapesMistake],
    ["single quotes", "p('a', 1)\n", "p(\\'a\\', 1)", "p(\\'b\\', 1)", "p('b', 1)\n", escapesMistake],
    [
      "line breaks and quotes",
      'p("a")\nq()\n',
      'p(\\"a\\")\\nq()',
      'p(\\"b\\")\\nq()',
      'p("b")\nq()\n',
      escapesMistake,
    ],
    [
      "quotes and line breaks encoded twice",
      'p("a");\nq();\n',
      'p(\\\\\\"a\\\\\\");\\\\nq();',
      'p(\\\\\\"b\\\\\\");\\\\nq();',
      'p("b");\nq();\n',
      escapesMistake,
    ],
    ["a backslash of the file doubled", "x = /\\d+/\n", "x = /\\\\d+/", "x = /\\\\w+/", "x = /\\w+/\n", escapesMistake],
    [
      "line breaks after closing tags",
      "<b>x</b>\n<i>y</i>\n",
      "<b>x</b>\\n<i>y</i>",
      "<b>x</b>\\n<u>z</u>\\n<i>y</i>",
      "<b>x</b>\n<u>z</u>\n<i>y</i>\n",
      escapesMistake,
    ],
    [
      "lines that keep their quotes even",
      "a = 'x'\nb = 1\n",
      "a = 'x'\\nb = 1",
      "a = 'y'\\nb = 2",
      "a = 'y'\nb = 2\n",
      escapesMistake,
    ],
  ],
  refusals: [
    [
      "a break inside quotes that may be intended",
      "a = 1\nb = 2\n",
      "a = 1\\nb = 2",
      "a = s.split('\\n')\\nb = 2",
      "no_match",
      "written out",
    ],
    [
      "a tab within a line that may be intended",
      "a = 1\nb = 2\n",
      "a = 1\\nb = 2",
      "a = 1\\nb = x\\ty",
      "no_match",
      "written out",
    ],
    ["a tab in the first line", "a = 1\nb = 2\n", "a = 1\\nb = 2", "a = x\\ty\\nb = 2", "no_match", "written out"],
    ["a break after a space", "a = 1\nb = 2\n", "a = 1\\nb = 2", "a = 1\\nsay one \\n two", "no_match", "written out"],
    ["a break in a pattern", "a = 1\nb = 2\n", "a = 1\\nb = 2", "a = s.replace(/\\n/g)", "no_match", "written out"],
    [
      "breaks of both kinds in new_string",
      "a = 1\nb = 2\n",
      "a = 1\\nb = 2",
      "a = 1\nb = 3\\nc = 4",
      "no_match",
      "written out",
    ],
    [
      "quotes of both kinds in new_string",
      'p("a", 1)\n',
      'p(\\"a\\", 1)',
      'p("a \\"b\\"", 1)',
      "no_match",
      "written out",
    ],
    [
      "an escape old_string does not have",
      'p("a", 1)\n',
      'p(\\"a\\", 1)',
      'p(\\"a\\n\\", 1)',
      "no_match",
      "written out",
    ],
    ["an undefined escape", 'p("a", 1)\n', 'p(\\"a\\", 1)', 'p(\\"\\d\\", 1)', "no_match", "written out"],
    ["two matches", "a()\nb()\na()\nb()\n", "a()\\nb()", "c()", "ambiguous", "lines 1 and 3"],
    ["other words", "alpha()\nbeta()\n", "alpha()\\ngamma()", "c()", "no_match", "written out"],
  ],
};

export const blankLines: CaseGroup = {
  about: "surplus empty lines",
  matches: [
    ["before", "a\nb\nc\n", "\nb\nc", "\nx\nc", "a\nx\nc\n"],
    ["before, at the start of the file", "a\nb\n", "\na\nb", "\nx\nb", "x\nb\n", blankMistake],
    ["two before", "a\nb()\nc\n", "\n\nb()\n", "\n\nx()\n", "a\nx()\nc\n", blankMistake],
    ["after", "a()\nb\n", "a()\n\n", "x()\n\n", "x()\nb\n", blankMistake],
    ["after, new_string without it", "a()\nb\n", "a()\n\n", "x()", "x()\nb\n", blankMistake],
    ["on both sides", "z\na()\nb\n", "\n\na()\n\n", "\n\nx()\n\n", "z\nx()\nb\n", blankMistake],
    ["with spaces on it", "z\na()\nb\n", "  \na()\n  \n", "  \nx()\n  \n", "z\nx()\nb\n", blankMistake],
    ["lines taken out", "z\na()\nb\n", "a()\n\n", "", "z\nb\n", blankMistake],
    [
      "a further empty line in new_string is intended",
      "z\na()\nb\n",
      "\n\na()\n",
      "\n\n\nx()\n",
      "z\n\nx()\nb\n",
      blankMistake,
    ],
    [
      "with the indentation shifted",
      "{\n  a();\n  b();\n}\n",
      "\na();\nb();\n\n",
      "\na();\nc();\n\n",
      "{\n  a();\n  c();\n}\n",
      { slip: "blank", loose: "indent" },
    ],
  ],
  refusals: [
    ["two matches", "a()\nb\na()\nb\n", "\n\na()\n", "x()\n", "ambiguous", "lines 1 and 3"],
    ["inside the block", "aa()\nbb()\n", "aa()\n\n\nbb()", "x", "no_match", "1\taa()"],
    ["a part of a line", "aa(bb)\n", "\n\nbb\n\n", "cc", "no_match", "was not found"],
  ],
};

export const diffSigns: CaseGroup = {
  about: "shaped like a diff",
  matches: [
    ["minus and plus on every line", "a();\nb();\n", "-a();", "+x();", "x();\nb();\n", diffMistake],
    [
      "with lines that stay",
      "a();\nb();\nc();\n",
      " a();\n-b();\n c();",
      " a();\n+x();\n c();",
      "a();\nx();\nc();\n",
      diffMistake,
    ],
    [
      "indentation after the sign",
      "{\n  a();\n}\n",
      "-  a();\n",
      "+  x();\n+  y();\n",
      "{\n  x();\n  y();\n}\n",
      diffMistake,
    ],
  ],
  refusals: [
    [
      "a whole diff as old_string",
      "a();\nb();\n",
      "@@ -1,2 +1,2 @@\n-a();\n+x();\n b();",
      "x();\nb();",
      "no_match",
      "diff",
    ],
    ["minus and plus both in old_string", "a();\nb();\n", "-a();\n+x();", "x();", "no_match", "diff"],
    ["a minus sign alone", "a();\nb();\n", "-a();", "x();", "no_match", "diff"],
    ["two matches", "a();\nb();\na();\n", "-a();", "+x();", "ambiguous", "lines 1 and 3"],
    [
      "conflict marks",
      "a();\nb();\n",
      "<<<<<<< SEARCH\na();\n=======\nx();\n>>>>>>> REPLACE",
      "x();",
      "no_match",
      "diff",
    ],
  ],
};

/** Corpus: places of search hits and closing tags of the call in both strings. Expectations by hand. */
import type { CaseGroup } from "./case";

export const searchHits: CaseGroup = {
  about: "search hits",
  matches: [
    ["one hit in both strings", "a()\nb()\n", "src/a.ts:2:b()", "src/a.ts:2:c()", "a()\nc()\n", { slip: "hits" }],
    ["new_string without a place", "a()\n  b()\n", "src/a.ts:2:  b()", "  c()", "a()\n  c()\n", { slip: "hits" }],
    [
      "a hit with its context",
      "a()\nb()\nc()\n",
      "a-1-2.ts-1-a()\na-1-2.ts:2:b()\na-1-2.ts-3-c()\n",
      "a-1-2.ts-1-a()\na-1-2.ts:2:x()\n  y()\na-1-2.ts-3-c()\n",
      "a()\nx()\n  y()\nc()\n",
      { slip: "hits" },
    ],
  ],
  refusals: [
    ["a hit at another line", "a()\nb()\nb()\n", "a.ts:7:b()", "c()", "ambiguous", "lines 2 and 3"],
    ["hits of two files", "a()\nb()\n", "a.ts:1:a()\nb.ts:2:b()", "c()", "no_match", "was not found"],
    ["hits with lines left out", "a()\nb()\nc()\n", "a.ts:1:a()\na.ts:3:c()", "x()", "no_match", "was not found"],
  ],
};

export const closingTags: CaseGroup = {
  about: "closing tags of the call",
  matches: [
    ["in both strings", "a();\nb();\n", "a();\n</old_string>", "c();\n</new_string>", "c();\nb();\n", { slip: "tags" }],
    ["two of them in old_string", "a();\n", "a();</parameter>\n</invoke>", "c();", "c();\n", { slip: "tags" }],
    [
      "tags of the file stay",
      "<parameter>a</parameter>\n",
      "<parameter>a</parameter></old_string>",
      "<parameter>b</parameter></new_string>",
      "<parameter>b</parameter>\n",
      { slip: "tags" },
    ],
  ],
  refusals: [
    ["tags alone", "a();\n", "</old_string>", "b();", "no_match", "was not found"],
    ["a tag of other code", "a();\n", "a();</div>", "b();</div>", "no_match", "1\ta();"],
  ],
};

/** Text before a call × forms of the call × places where the stream is cut. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { makeCallReader } from "../call-reader";
import { announcingLeads, mentioningLeads, showingLeads } from "../corpus/leads/any-form-leads";
import { furtherForeignLeads } from "../corpus/leads/further-foreign-leads";
import { furtherForeignRefusals } from "../corpus/leads/further-foreign-refusals";
import { furtherRefusingLeads } from "../corpus/leads/further-refusing-leads";
import { furtherUsualLeads } from "../corpus/leads/further-usual-leads";
import { markedForms, weakForms } from "../corpus/leads/lead-forms";
import { recordLeads, reportingLeads, reportingWordsLeads } from "../corpus/leads/reporting-leads";
import { refusingLeads } from "../corpus/leads/refusing-leads";
import { usualForeignLeads } from "../corpus/leads/usual-foreign-leads";
import { usualLeads } from "../corpus/leads/usual-leads";

const tools = builtInSource.tools();
/** Lengths of the pieces of a stream, in turn. */
const pieceLengths = fc.sample(fc.integer({ min: 1, max: 60 }), { seed: 26, numRuns: 997 });
let pieceCount = 0;

/** Number of forms that each lead is tested with; the forms take turns. */
const formsPerLead = 4;

/** Returns the number of calls that run. */
function countCalls(text: string): number {
  const reader = makeCallReader({ tools, mode: "xml" });
  for (let at = 0; at < text.length; ) {
    const end = at + (pieceLengths[pieceCount++ % pieceLengths.length] ?? 1);
    reader.push(text.slice(at, end));
    at = end;
  }
  return reader.end(true).filter((block) => block.type === "call").length;
}

/** Returns the leads after which not exactly `count` calls run, each with the form. */
const findWrongLeads = (leads: readonly string[], forms: readonly string[], count: number): readonly string[] =>
  leads.flatMap((lead, index) =>
    Array.from({ length: Math.min(formsPerLead, forms.length) }, (_, turn) => {
      const form = forms[(index * formsPerLead + turn) % forms.length] ?? "";
      return `${lead}\n${form}`;
    }).filter((text) => countCalls(text) !== count),
  );

const allForms = [...weakForms, ...markedForms];
const marked = "a call in a model's own syntax that ends the message";

test.each<readonly [string, readonly string[], readonly string[], number]>([
  ["a call in any form runs after an announcement", announcingLeads, allForms, 1],
  [`${marked} runs after a usual lead in English`, [...usualLeads, ...furtherUsualLeads], markedForms, 1],
  [
    `${marked} runs after a usual lead in another language`,
    [...usualForeignLeads, ...furtherForeignLeads],
    markedForms,
    1,
  ],
  [`${marked} runs after a mention of others who call`, reportingWordsLeads, markedForms, 1],
  [`${marked} runs after text that shows something`, [...showingLeads, ...recordLeads], markedForms, 1],
  ["JSON is shown after text that shows something", [...showingLeads, ...recordLeads], weakForms, 0],
  ["no form runs after text that only mentions it", mentioningLeads, allForms, 0],
  ["no form runs after an example, a denial or a question", refusingLeads, allForms, 0],
  ["nor after text about a call of others", reportingLeads, allForms, 0],
  ["nor after further ones in English", furtherRefusingLeads, allForms, 0],
  ["nor after further ones in another language", furtherForeignRefusals, allForms, 0],
])("%s", (_name, leads, forms, count) => {
  expect(findWrongLeads(leads, forms, count)).toEqual([]);
});

describe("after text that shows something, calls", () => {
  const [call = ""] = markedForms;
  const second = call.replace("ls", "pwd");

  test.each([
    ["in a row run", `Output:\n${call}\n${second}`, 2],
    ["with text of their own between them run", `Output:\n${call}\nThe next one:\n${second}`, 2],
    ["before a stop token run", `Output:\n${call}\n<|im_end|>`, 1],
    ["before other text do not run", `Output:\n${call}\nThat is the whole log.`, 0],
    ["whose closers are missing do not run", `Output:\n${call.replace("\n</tool>", "")}`, 0],
    ["in quotes do not run", `Output:\n"${call}"`, 0],
    ["in a fence do not run", `Output:\n\`\`\`text\n${call}\n\`\`\``, 0],
  ])("%s", (_name, text, count) => {
    expect(countCalls(text)).toBe(count);
  });
});

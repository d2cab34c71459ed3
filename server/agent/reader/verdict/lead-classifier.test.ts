import { describe, expect, test } from "vitest";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { makeCallReader } from "../call-reader";
import { announcingLeads, mentioningLeads, presentingLeads } from "../corpus/leads";

const json = '{"name": "bash", "arguments": {"command": "ls"}}';
const unmarked = [json, `\`\`\`json\n${json}\n\`\`\``];
const marked = [
  `<tool_call>\n${json}\n</tool_call>`,
  "<tool_call>\n<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>",
  '[TOOL_CALLS]bash[ARGS]{"command": "ls"}',
];
const forms = [...unmarked, ...marked];

function read(text: string) {
  const reader = makeCallReader({ tools: builtInSource.tools(), mode: "native" });
  reader.push(text);
  return reader.end(true);
}

describe("text before a call", () => {
  test.each(announcingLeads)("announces it: %s", (lead) => {
    for (const form of forms)
      expect(read(`${lead}\n\n${form}`)).toMatchObject([
        { type: "text", text: lead },
        { type: "call", name: "bash", input: { command: "ls" } },
      ]);
  });

  test.each(mentioningLeads)("only mentions it: %s", (lead) => {
    for (const form of forms)
      expect(read(`${lead}\n\n${form}`)).toEqual([{ type: "text", text: `${lead}\n\n${form}` }]);
  });

  test.each(presentingLeads)("introduces a marked call that ends the message: %s", (lead) => {
    for (const form of marked) {
      expect(read(`${lead}\n\n${form}`)).toMatchObject([
        { type: "text", text: lead },
        { type: "call", name: "bash", input: { command: "ls" } },
      ]);
      const another = form.replace("ls", "pwd");
      expect(read(`${lead}\n\n${form}\n${another}`).map(({ type }) => type)).toEqual(["text", "call", "call"]);
      expect(read(`${lead}\n\n${form}\n\nThat is all that the log has.`)).toMatchObject([{ type: "text" }]);
    }
    for (const form of unmarked) expect(read(`${lead}\n\n${form}`)).toMatchObject([{ type: "text" }]);
  });
});

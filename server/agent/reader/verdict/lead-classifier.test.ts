import { describe, expect, test } from "vitest";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { makeCallReader } from "../call-reader";
import { announcingLeads, mentioningLeads } from "../corpus/leads";

const json = '{"name": "bash", "arguments": {"command": "ls"}}';
const forms = [json, `\`\`\`json\n${json}\n\`\`\``, `<tool_call>\n${json}\n</tool_call>`];

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
});

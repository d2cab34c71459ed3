import { expect, test } from "vitest";
import type { HistoryUse } from "@/lib/events/event";
import type { ModelNote } from "@/lib/models/models";
import { chooseHistoryUse } from "./history-use";

test.each<readonly [name: string, note: ModelNote | undefined, template: HistoryUse, use: HistoryUse]>([
  ["what the template shows", undefined, { reasoning: "preserve" }, { reasoning: "preserve" }],
  ["on, without a template", { keepThinking: true }, {}, { reasoning: "preserve" }],
  ["off, whatever the template shows", { keepThinking: false }, { reasoning: "preserve" }, {}],
  [
    "what a refusal taught before all",
    { keepThinking: true, history: { reasoning: "drop" } },
    {},
    { reasoning: "drop" },
  ],
])("thinking of earlier turns is kept by %s", (_name, note, template, use) => {
  expect(chooseHistoryUse({ name: "m", ...(note && { note }) }, template)).toEqual(use);
});

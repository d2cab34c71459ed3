import { describe, expect, test } from "vitest";
import { asId, type CallId } from "@/lib/events/id";
import type { ModelMessage } from "@/server/providers/provider";
import { omissibleReasoning, selectReasoning } from "./sent-reasoning";
import { convertToTextMode } from "./text-mode";

const callId = asId<CallId>("c1");
const user: ModelMessage = { role: "user", text: "Go." };
const answer = (server: string, text: string): ModelMessage => ({
  role: "assistant",
  text: "Done.",
  reasoning: { server, field: "reasoning", text },
});
const calling: ModelMessage = {
  role: "assistant",
  text: "",
  thinking: "I list.",
  reasoning: { server: "other", field: "thinking", text: "Hm." },
  calls: [{ callId, name: "ls", input: {} }],
};
const plain: ModelMessage = { role: "assistant", text: "Done." };

describe("reasoning that goes back", () => {
  test.each([
    ["that of its server alone", undefined, [user, answer("own", "a"), plain]],
    ["that of its server alone, which a template keeps", "preserve", [user, answer("own", "a"), plain]],
    ["that of its server alone, which requires some", "require", [user, answer("own", "a"), plain]],
    ["none to a server that refuses it", "drop", [user, plain, plain]],
  ] as const)("is %s", (_name, reasoning, expected) => {
    const messages = [user, answer("own", "a"), answer("other", "b")];
    expect(selectReasoning({ provider: "own", reasoning }, messages)).toEqual(expected);
  });

  test("stays the same objects, so that their sizes are not measured again", () => {
    const messages = [user, answer("other", "b")];
    const model = { provider: "own" };
    expect(selectReasoning(model, messages)[1]).toBe(selectReasoning(model, messages)[1]);
    expect(selectReasoning({ provider: "other" }, messages)).toBe(messages);
  });

  test("is a field of its own in the text tool modes, where reasoning that is left out becomes a thought", () => {
    const converted = (provider: string) => convertToTextMode(selectReasoning({ provider }, [calling]), "react");
    expect(converted("other")).toMatchObject([
      { text: "Thought: I list.\nAction: ls\nAction Input: {}", reasoning: {} },
    ]);
    expect(converted("own")).toEqual([
      { role: "assistant", text: "Thought: Hm.\nI list.\nAction: ls\nAction Input: {}" },
    ]);
  });
});

test("a chat template may leave out all of it", () => {
  const messages = [user, answer("own", "a"), user, answer("own", "b")];
  expect(omissibleReasoning(messages)).toEqual(["a", "b"]);
});

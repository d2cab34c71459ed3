import { CompletionContext } from "@codemirror/autocomplete";
import { EditorState, Text } from "@codemirror/state";
import { expect, test } from "vitest";
import { completeWords } from "./word-completion";

async function complete(doc: string, position: number, others: readonly string[], isExplicit = false) {
  const context = new CompletionContext(EditorState.create({ doc }), position, isExplicit);
  const result = await completeWords(() => others.map((text) => Text.of(text.split("\n"))))(context);
  return result && { from: result.from, labels: result.options.map(({ label }) => label) };
}

test("words of this text and of the other open ones are offered, without the one being typed", async () => {
  expect(await complete("total = to + today", 10, ["tomorrow 总和数 x"])).toEqual({
    from: 8,
    labels: ["total", "today", "tomorrow", "总和数"],
  });
});

test("one letter opens the list only on request, and no word opens none", async () => {
  expect(await complete("total t", 7, [])).toBeNull();
  expect(await complete("total t", 7, [], true)).toMatchObject({ labels: ["total"] });
  expect(await complete("total ", 6, [], true)).toBeNull();
});

import { CompletionContext, type CompletionSource } from "@codemirror/autocomplete";
import { EditorState, Text } from "@codemirror/state";
import { expect, test } from "vitest";
import { loadLanguage } from "./language";
import { completeWords, wordCompletion } from "./word-completion";

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

test.each([
  ["typescript", "const total = 1;\nfunction today() {}\nto", ["today", "tomorrow", "total"]],
  ["python", "total = 1\ndef today():\n  pass\nto", ["today", "tomorrow", "total"]],
] as const)("a name that %s completes too is listed once", async (language, doc, names) => {
  const others = wordCompletion(() => [Text.of(["tomorrow total"])], true);
  const state = EditorState.create({ doc, extensions: [await loadLanguage(language), others] });
  const context = new CompletionContext(state, doc.length, false);
  const sources = state.languageDataAt<CompletionSource>("autocomplete", doc.length);
  const results = await Promise.all(sources.map((source) => source(context)));
  const labels = results.flatMap((result) => result?.options.map(({ label }) => label) ?? []);
  expect(labels.filter((label) => label.startsWith("to")).sort()).toEqual(names);
});

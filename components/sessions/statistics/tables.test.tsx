import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { en } from "../../words/en";
import { WordsGiven } from "../../words/words";
import { zhCN } from "../../words/zh-CN";
import { ModelsTable } from "./tables";

test.each([
  ["English", en, "41 of 44"],
  ["Chinese", zhCN, "41 / 44"],
])("a model's edits are shown with the number applied, in %s", (_name, words, text) => {
  const one = { model: "m", answers: 2, promptTokens: 1, outputTokens: 1, promptMs: 0, outputMs: 0 };
  const draw = (edits: number, editsApplied: number): string =>
    renderToString(
      <WordsGiven words={words}>
        <ModelsTable models={[{ ...one, edits, editsApplied }]} />
      </WordsGiven>,
    );
  expect(draw(44, 41)).toContain(words.sessions.statistics.edits);
  expect(draw(44, 41)).toContain(text);
  expect(draw(0, 0)).not.toContain(words.sessions.statistics.editsApplied("0", "0"));
});

import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { en } from "../../messages/en";
import { StaticMessages } from "../../messages/messages";
import { zhCN } from "../../messages/zh-CN";
import { ModelsTable } from "./statistics-tables";

test.each([
  ["English", en, "41 of 44"],
  ["Chinese", zhCN, "41 / 44"],
])("a model's edits are shown with the number applied, in %s", (_name, messages, text) => {
  const one = { model: "m", answers: 2, promptTokens: 1, outputTokens: 1, promptMs: 0, outputMs: 0 };
  const draw = (edits: number, editsApplied: number): string =>
    renderToString(
      <StaticMessages messages={messages}>
        <ModelsTable models={[{ ...one, edits, editsApplied }]} />
      </StaticMessages>,
    );
  expect(draw(44, 41)).toContain(messages.sessions.statistics.edits);
  expect(draw(44, 41)).toContain(text);
  expect(draw(0, 0)).not.toContain(messages.sessions.statistics.editsApplied("0", "0"));
});

import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { en } from "../../messages/en";
import * as enLate from "../../messages/en-late";
import { StaticLateMessages } from "../../messages/full-messages";
import { StaticMessages } from "../../messages/messages";
import { zhCN } from "../../messages/zh-CN";
import * as zhCNLate from "../../messages/zh-CN-late";
import { ModelsTable } from "./statistics-tables";

test.each([
  ["English", en, enLate, "41 of 44"],
  ["Chinese", zhCN, zhCNLate, "41 / 44"],
])("a model's edits are shown with the number applied, in %s", (_name, messages, late, text) => {
  const one = { model: "m", answers: 2, promptTokens: 1, outputTokens: 1, promptMs: 0, outputMs: 0 };
  const draw = (edits: number, editsApplied: number): string =>
    renderToString(
      <StaticMessages messages={messages}>
        <StaticLateMessages messages={late}>
          <ModelsTable models={[{ ...one, edits, editsApplied }]} />
        </StaticLateMessages>
      </StaticMessages>,
    );
  expect(draw(44, 41)).toContain(late.statistics.edits);
  expect(draw(44, 41)).toContain(text);
  expect(draw(0, 0)).not.toContain(late.statistics.editsApplied("0", "0"));
});

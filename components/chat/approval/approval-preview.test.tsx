import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import type { Preview } from "@/lib/tool-kind";
import { en } from "../../words/en";
import { WordsGiven } from "../../words/words";
import { ConversationFactsContext, noFacts } from "../actions";
import { ApprovalPreview } from "./approval-preview";

const command: Preview = { kind: "command", command: "npm test", cwd: ".", timeoutMs: 30_000, parts: [] };
const draw = (preview: Preview, wantsSandbox: boolean): string =>
  renderToString(
    <WordsGiven words={en}>
      <ConversationFactsContext value={{ ...noFacts, wantsSandbox }}>
        <ApprovalPreview preview={preview} />
      </ConversationFactsContext>
    </WordsGiven>,
  ).replaceAll("&#x27;", "'");

test("a command outside the sandbox is marked only if the settings request the sandbox", () => {
  expect(draw(command, true)).toContain(en.approval.notFenced);
  expect(draw(command, false)).not.toContain(en.approval.notFenced);
  expect(draw({ ...command, sandbox: { network: false } }, true)).not.toContain(en.approval.notFenced);
});

test("a part that needs approval is labelled usually reading, one that does not is labelled reading", () => {
  const withRisk = (risk: "asks" | "reads"): Preview => ({
    ...command,
    parts: [{ text: "git log", risk, effects: ["reads"] }],
  });
  expect(draw(withRisk("asks"), false)).toContain(en.approval.usuallyReads);
  expect(draw(withRisk("asks"), false)).not.toContain(`>${en.approval.effects.reads}<`);
  expect(draw(withRisk("reads"), false)).toContain(`>${en.approval.effects.reads}<`);
});

import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import type { ContextReport } from "@/lib/protocol/answers";
import { en } from "../../messages/en";
import * as enLate from "../../messages/en-late";
import { type FullMessages, StaticLateMessages } from "../../messages/full-messages";
import { StaticMessages } from "../../messages/messages";
import { zhCN } from "../../messages/zh-CN";
import * as zhCNLate from "../../messages/zh-CN-late";
import { PromptDialog } from "./prompt-dialog";

const report: ContextReport = {
  parts: [{ part: "system", tokens: 900 }],
  total: 1_000,
  compactAt: 5_000,
  window: { inForce: 8_192, asked: 8_192 },
  system: "You are an agent.",
  tools: [{ name: "read", tokens: 61, text: "{}" }],
  pieces: [
    { kind: "environment", tokens: 41, text: "Project folder: /p" },
    { kind: "guide", tokens: 42, text: "AGENTS.md: tabs" },
    { kind: "message", tokens: 43, text: "What is here?" },
    { kind: "result", name: "ls", tokens: 44, text: "a.ts" },
    { kind: "pending", tokens: 45, text: "Mode: plan." },
  ],
};
const english: FullMessages = { ...en, ...enLate };
const draw = (messages: FullMessages, shown: ContextReport): string =>
  renderToString(
    <StaticMessages messages={messages}>
      <StaticLateMessages messages={messages}>
        <PromptDialog report={shown} onClose={() => undefined} />
      </StaticLateMessages>
    </StaticMessages>,
  );

test.each([
  ["English", english],
  ["Chinese", { ...zhCN, ...zhCNLate }],
])("every part of the next request is shown with its tokens and its text, in %s", (_name, messages) => {
  const html = draw(messages, report);
  const { contextPanel, promptDialog } = messages;
  const texts = [contextPanel.parts.system, "read", ...Object.values(promptDialog.sections), "You are an agent."];
  for (const { kind, name, text, tokens } of report.pieces)
    texts.push(promptDialog.pieces[kind](name ?? ""), text, String(tokens));
  for (const text of texts) expect(html).toContain(text);
  expect(html.split("<details").length - 1).toBe(2 + report.pieces.length);
});

test("a section without pieces is left out", () => {
  const html = draw(english, { ...report, pieces: report.pieces.filter(({ kind }) => kind !== "pending") });
  expect(html).not.toContain(english.promptDialog.sections.pending);
});

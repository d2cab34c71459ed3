import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import type { CallPreview, CommandPart } from "@/lib/events/tool-kind";
import { en } from "../../messages/en";
import { StaticConversationMessages } from "../../messages/conversation-messages";
import * as enConversation from "../../messages/en-conversation";
import { StaticMessages } from "../../messages/messages";
import { ConversationFactsContext, defaultFacts } from "../actions";
import { ApprovalPreview } from "./approval-preview";

const command: CallPreview = { kind: "command", command: "npm test", cwd: ".", timeoutMs: 30_000, parts: [] };
const { approval } = enConversation;

const draw = (preview: CallPreview, wantsSandbox: boolean, needsNetwork = false): string =>
  renderToString(
    <StaticMessages messages={en}>
      <StaticConversationMessages messages={enConversation}>
        <ConversationFactsContext value={{ ...defaultFacts, wantsSandbox }}>
          <ApprovalPreview preview={preview} needsNetwork={needsNetwork} />
        </ConversationFactsContext>
      </StaticConversationMessages>
    </StaticMessages>,
  ).replaceAll("&#x27;", "'");

test("a command outside the sandbox is marked only if the settings request the sandbox", () => {
  expect(draw(command, true)).toContain(approval.notFenced);
  expect(draw(command, false)).not.toContain(approval.notFenced);
  expect(draw({ ...command, sandbox: { network: false } }, true)).not.toContain(approval.notFenced);
});

test("a command that needs the network is explained where the card offers the network", () => {
  const sandboxed: CallPreview = { ...command, sandbox: { network: false } };
  expect(draw(sandboxed, true, true)).toContain(approval.needsNetwork);
  expect(draw(sandboxed, true)).not.toContain(approval.needsNetwork);
});

test("a part that needs approval is labelled usually reading, one that does not is labelled reading", () => {
  const withRisk = (risk: "asks" | "reads"): CallPreview => ({
    ...command,
    parts: [{ text: "git log", risk, effects: ["reads"] }],
  });
  expect(draw(withRisk("asks"), false)).toContain(approval.usuallyReads);
  expect(draw(withRisk("asks"), false)).not.toContain(`>${approval.effects.reads}<`);
  expect(draw(withRisk("reads"), false)).toContain(`>${approval.effects.reads}<`);
});

test("a command that only runs a program has no chip; what else it does, and a rule, have one", () => {
  const chips = (effects: NonNullable<CommandPart["effects"]>, risk: CommandPart["risk"] = "asks"): string =>
    draw({ ...command, parts: [{ text: "npm test", risk, effects }] }, false);
  expect(chips(["runs"])).not.toContain(approval.parts);
  expect(chips(["network", "runs"])).toContain(`>${approval.effects.network}<`);
  expect(chips(["runs"], "refused")).toContain(`>${approval.risk.refused}<`);
});

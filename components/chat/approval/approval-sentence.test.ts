import { expect, test } from "vitest";
import { asId, type CallId } from "@/lib/events/id";
import type { CallView } from "@/lib/view/view";
import { en } from "../../messages/en";
import * as enConversation from "../../messages/en-conversation";
import { describeApproval } from "./approval-sentence";

const call: CallView = {
  callId: asId<CallId>("c"),
  name: "github__remember",
  kind: "other",
  target: "",
  facts: {},
  state: "waiting",
  approvals: [],
  output: [],
};

test.each([
  ["memory", "remember", "Save a note in memory"],
  ["web", "web_fetch", "Read a page of the web"],
  ["subagent", "spawn", "Start a subagent that may change files"],
  ["web", "constructor", "Use github__remember"],
  ["github", "remember", "Use github__remember"],
])("the tool %s/%s is named %j", (source, tool, lead) =>
  expect(
    describeApproval(
      call,
      { kind: "external", source, tool, input: {}, description: "" },
      { ...en, ...enConversation },
    ),
  ).toEqual({ lead, target: "" }),
);

import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { asId, type MessageId } from "@/lib/id";
import type { MessageEntry } from "@/lib/view";
import { en } from "../words/en";
import { WordsGiven } from "../words/words";
import {
  type Branching,
  ConversationActionsContext,
  type ConversationFacts,
  ConversationFactsContext,
  noFacts,
  readOnlyActions,
} from "./actions";
import { UserCard } from "./user-card";

const message: MessageEntry = {
  kind: "message",
  seq: 7,
  messageId: asId<MessageId>("m"),
  role: "user",
  at: 0,
  blocks: [{ type: "text", text: "Find the bug" }],
  stop: "done",
  calls: [],
  from: 5,
};
const branch: Branching = {
  resend: () => Promise.resolve(true),
  rewind: () => undefined,
  fork: () => undefined,
  name: () => undefined,
};
const drawn = (given: Branching | null, more: Partial<ConversationFacts> = {}, entry = message): string =>
  renderToString(
    <WordsGiven words={en}>
      <ConversationActionsContext value={{ ...readOnlyActions, branch: given }}>
        <ConversationFactsContext value={{ ...noFacts, ...more }}>
          <UserCard message={entry} />
        </ConversationFactsContext>
      </ConversationActionsContext>
    </WordsGiven>,
  );

test("a message offers its other ways to its owner; a viewer may copy it", () => {
  expect(drawn(branch)).toContain(en.branches.message);
  expect(drawn(branch)).toContain(en.branches.edit);
  expect(drawn(null)).not.toContain(en.branches.message);
  expect(drawn(null)).toContain(en.chat.copyMessage);
});

test("while a run goes on nothing is edited; the menu stays for the fork", () => {
  expect(drawn(branch, { isIdle: false })).not.toContain(en.branches.edit);
  expect(drawn(branch, { isIdle: false })).toContain(en.branches.message);
});

test("what is not in the log yet has no other ways", () => {
  const { from: _from, ...echo } = message;
  expect(drawn(branch, {}, echo)).not.toContain(en.branches.message);
});

test("the name of its place stands in it", () => {
  expect(drawn(branch, { labels: { 7: "the good one" } })).toContain("the good one");
  expect(drawn(branch, { labels: { 8: "another" } })).not.toContain("another");
});

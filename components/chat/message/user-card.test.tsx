import { text } from "node:stream/consumers";
import { renderToString } from "react-dom/server";
import { prerenderToNodeStream } from "react-dom/static";
import { expect, test } from "vitest";
import { asId, type BlobId, type MessageId } from "@/lib/events/id";
import type { MessageEntry } from "@/lib/view/view";
import { StaticConversationMessages } from "../../messages/conversation-messages";
import { en } from "../../messages/en";
import * as enConversation from "../../messages/en-conversation";
import { StaticMessages } from "../../messages/messages";
import {
  type BranchControls,
  ConversationActionsContext,
  type ConversationFacts,
  ConversationFactsContext,
  defaultFacts,
  readOnlyActions,
} from "../actions";
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
const branch: BranchControls = {
  resend: () => Promise.resolve(true),
  rewind: () => undefined,
  fork: () => undefined,
  setLabel: () => undefined,
};
const card = (branches: BranchControls | null, more: Partial<ConversationFacts> = {}, entry = message) => (
  <StaticMessages messages={en}>
    <StaticConversationMessages messages={enConversation}>
      <ConversationActionsContext value={{ ...readOnlyActions, branchControls: branches }}>
        <ConversationFactsContext value={{ ...defaultFacts, ...more }}>
          <UserCard message={entry} />
        </ConversationFactsContext>
      </ConversationActionsContext>
    </StaticConversationMessages>
  </StaticMessages>
);

/** Waits for what is loaded late. */
async function render(...options: Parameters<typeof card>): Promise<string> {
  const { prelude } = await prerenderToNodeStream(card(...options));
  return text(prelude);
}

test("a message is shown while its menu is loaded", () => {
  const shown = renderToString(card(branch));
  expect(shown).toContain("Find the bug");
  expect(shown).not.toContain(enConversation.messageActions.message);
});

test.each([
  [{ kind: "cli" }, enConversation.origins.cli()],
  [{ kind: "agent" }, enConversation.origins.agent()],
  [{ kind: "channel", name: "Ada" }, enConversation.origins.channel("Ada")],
] as const)("a message of the origin %j says where it comes from", async (origin, note) => {
  expect(await render(branch, {}, { ...message, origin })).toContain(note);
  expect(await render(branch)).not.toContain(note);
});

test("the owner can edit and branch from a message; a viewer can copy it", async () => {
  expect(await render(branch)).toContain(enConversation.messageActions.message);
  expect(await render(branch)).toContain(enConversation.messageActions.edit);
  expect(await render(null)).not.toContain(enConversation.messageActions.message);
  expect(await render(null)).toContain(en.chat.copyMessage);
});

test("a message cannot be edited while a run is open; the menu stays for the fork", async () => {
  expect(await render(branch, { isIdle: false })).not.toContain(enConversation.messageActions.edit);
  expect(await render(branch, { isIdle: false })).toContain(enConversation.messageActions.message);
});

test("a message that is not in the log yet has no menu", async () => {
  const { from: _from, ...echo } = message;
  expect(await render(branch, {}, echo)).not.toContain(enConversation.messageActions.message);
});

test("a message shows its label", async () => {
  expect(await render(branch, { labels: { 7: "the good one" } })).toContain("the good one");
  expect(await render(branch, { labels: { 8: "another" } })).not.toContain("another");
});

test("fenced code is a code block with its language; other Markdown stays plain text", async () => {
  const renderText = (text: string): Promise<string> =>
    render(null, {}, { ...message, blocks: [{ type: "text", text }] });
  const fenced = await renderText("# Fix **this**\n```ts\nlet a = 1;\n```\n- thanks `a`");
  expect(fenced.match(/data-code/g)).toHaveLength(1);
  expect(fenced).toContain(en.chat.code.copy);
  expect(fenced).not.toContain("```");
  for (const typed of ["# Fix **this**", "- thanks ", "<code"]) expect(fenced).toContain(typed);
  expect(await renderText("no ``` fence")).not.toContain("data-code");
});

test("a code block of one line has its buttons over the line, one of several lines or of a file above them", async () => {
  const renderCode = (text: string): Promise<string> =>
    render(null, {}, { ...message, blocks: [{ type: "text", text }] });
  const hasBar = async (text: string): Promise<boolean> =>
    /<figcaption class="[^"]*\bh-8\b/.test(await renderCode(text));
  expect(await hasBar("```sh\nnpm test\n```")).toBe(false);
  expect(await renderCode("```sh\nnpm test\n```")).toContain(en.chat.code.copy);
  expect(await hasBar("```sh\nnpm ci\nnpm test\n```")).toBe(true);
  expect(await hasBar("```ts src/a.ts\nlet a = 1;\n```")).toBe(true);
});

test("without an image loader a message shows the number of images", async () => {
  const image = { type: "image", mime: "image/png", blob: asId<BlobId>("b1") } as const;
  const one = { ...message, blocks: [...message.blocks, image] };
  expect(await render(null, {}, one)).toContain("1 image");
  expect(await render(null, {}, { ...one, blocks: [...one.blocks, image] })).toContain("2 images");
});

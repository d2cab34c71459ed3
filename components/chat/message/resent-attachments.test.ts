import { expect, test } from "vitest";
import type { ReferenceBlock } from "@/lib/events/content";
import { asId, type MessageId } from "@/lib/events/id";
import { resentAttachments } from "./resent-attachments";

test("a message that is sent again takes its own references; the server adds pinned files and commands", () => {
  const block = (label: string, more: Partial<ReferenceBlock> = {}): ReferenceBlock => ({
    type: "reference",
    kind: "file",
    label,
    text: "",
    ...more,
  });
  const blocks = [block("pinned.ts", { pinned: true }), block("!ls", { kind: "text", command: true }), block("a.ts")];
  const messageId = asId<MessageId>("m1");
  expect(resentAttachments({ messageId, blocks }).references).toEqual([{ kind: "stored", messageId, index: 2 }]);
});

/**
 * Makes the attachments of a message that is sent again: images by their blob, references as they are stored.
 * Pinned files and the output of commands are added by the server where they are due.
 */
import { messageImageRefs, referenceBlocks } from "@/lib/events/content";
import type { Reference } from "@/lib/protocol/reference-commands";
import type { MessageEntry } from "@/lib/view/view";

/** `messageId` = id of the message, or of a queued one, that has these references. */
export const storedReferences = (messageId: string, references: readonly unknown[] = []): readonly Reference[] =>
  references.map((_reference, index) => ({ kind: "stored", messageId, index }));

export const resentAttachments = ({ messageId, blocks }: Pick<MessageEntry, "messageId" | "blocks">) => ({
  images: messageImageRefs(blocks),
  references: referenceBlocks(blocks).flatMap(({ pinned, command }, index) =>
    pinned || command ? [] : [{ kind: "stored" as const, messageId, index }],
  ),
});

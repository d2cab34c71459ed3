/** Commands about images that go with the user's messages. Part of the table in command.ts. */
import * as z from "zod/mini";
import { command, modelName } from "./command-input";
import type { ImageRef } from "./content";
import { asId, type BlobId } from "./id";
import { limits } from "./settings";

const blobId = z.pipe(
  z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  z.transform((text: string): BlobId => asId<BlobId>(text)),
);
const mime = z.string().check(z.regex(/^image\/(?:png|jpeg|gif|webp)$/));

/** The images of one message. */
export const messageImages = z.readonly(
  z.array(z.object({ blob: blobId, mime })).check(z.maxLength(limits.messageImages)),
);

/** Four characters of base64 for three bytes. */
const base64MaxChars = Math.ceil(limits.imageMaxBytes / 3) * 4;

export const imageCommands = {
  /** Stores an image; its type is read from its bytes. bad_image, too_large, no_vision when `model` cannot see it. */
  "images.add": command<ImageRef>()(
    z.object({ data: z.string().check(z.minLength(1), z.maxLength(base64MaxChars)), model: z.optional(modelName) }),
  ),
  /** The bytes of a stored image as base64. not_found also for content that is no image. */
  "images.read": command<{ mime: string; data: string }>()(z.object({ blob: blobId })),
} as const;

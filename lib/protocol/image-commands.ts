/** Commands for images attached to user messages. */
import * as z from "zod/mini";
import { connectionId, defineCommand, modelName } from "./command-input";
import type { ImageRef } from "../events/content";
import { asId, type BlobId } from "../events/id";
import { limits } from "../settings/settings";

const blobId = z.pipe(
  z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  z.transform((text: string): BlobId => asId<BlobId>(text)),
);
const mime = z.string().check(z.regex(/^image\/(?:png|jpeg|gif|webp)$/));

/** The images of one message. */
export const messageImages = z.readonly(
  z.array(z.object({ blob: blobId, mime })).check(z.maxLength(limits.messageImages)),
);

/** base64 encodes three bytes in four characters. */
const base64MaxChars = Math.ceil(limits.imageMaxBytes / 3) * 4;

export const imageCommands = {
  /** Succeeds if a model accepts images. Error: no_vision. */
  "images.check": defineCommand<null>()(z.object({ model: modelName, connection: z.optional(connectionId) })),
  /** Stores an image; its type is detected from its bytes. Errors: bad_image, too_large. */
  "images.add": defineCommand<ImageRef>()(
    z.object({ data: z.string().check(z.minLength(1), z.maxLength(base64MaxChars)) }),
  ),
  /** Returns a stored image as base64. Error: not_found, also for a blob that is not an image. */
  "images.read": defineCommand<{ mime: string; data: string }>()(z.object({ blob: blobId })),
} as const;

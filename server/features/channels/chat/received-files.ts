/** Files that came with a message: photos become images of the message, others files in the inbox, which are never run. */
import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ImageRef } from "@/lib/events/content";
import { fail, ok, type Result } from "@/lib/events/error";
import type { NewReference } from "@/lib/protocol/reference-commands";
import { limits } from "@/lib/settings/settings";
import { detectImageType } from "@/lib/workspace/detect-image-type";
import { randomSecret } from "@/server/base/id";
import { promptFile } from "@/server/prompts/prompts";
import type { ReceivedFile } from "../channel";
import type { ChannelContext } from "../channel-context";

/** Folder in the home. */
export const inboxFolder = "inbox";

const nameMaxChars = 80;

interface ReceivedFiles {
  readonly images: readonly ImageRef[];
  readonly references: readonly NewReference[];
}

/** Loads and stores the files of a message. Fails as `Channel.load`, and with too_large and bad_image; facts: `limit`, bytes. */
export async function storeFiles(
  context: Pick<ChannelContext, "channel" | "host">,
  files: readonly ReceivedFile[],
  signal: AbortSignal,
): Promise<Result<ReceivedFiles>> {
  const images: ImageRef[] = [];
  const references: NewReference[] = [];
  for (const file of files) {
    const limit = file.isPhoto ? limits.imageMaxBytes : context.channel.capabilities.receivedFileMaxBytes;
    if ((file.size ?? 0) > limit) return fail("too_large", undefined, { limit });
    const loaded = await context.channel.load(file, signal);
    if (!loaded.ok) return loaded;
    if (loaded.value.length > limit) return fail("too_large", undefined, { limit });
    if (file.isPhoto) {
      const mime = detectImageType(loaded.value);
      if (mime === null) return fail("bad_image");
      images.push({ blob: context.host.store.blobs.put(loaded.value), mime });
    } else references.push(await storeInInbox(context.host.home, file.name, loaded.value));
  }
  return ok({ images, references });
}

/** Creates the inbox and returns its real path: tools may read in it. */
export async function openInbox(home: string): Promise<string> {
  const folder = join(home, inboxFolder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return realpath(folder);
}

async function storeInInbox(home: string, name: string, bytes: Uint8Array): Promise<NewReference> {
  const folder = await openInbox(home);
  const label = safeFileName(name);
  const path = join(folder, `${randomSecret().slice(0, 12)}-${label}`);
  await writeFile(path, bytes, { flag: "wx", mode: 0o600 });
  const text = promptFile("received-file.md").replace("{{path}}", path).replace("{{bytes}}", String(bytes.length));
  return { kind: "text", label, text };
}

/** Returns the last part of a name that another program chose, with letters, digits and a few signs only. */
export function safeFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const signs = last
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._ -]/gu, "_")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  const shown = [...signs];
  return shown.length === 0
    ? "file"
    : shown
        .slice(-nameMaxChars)
        .join("")
        .replace(/^[.\s]+/, "") || "file";
}

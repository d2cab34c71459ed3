/** Files that announce their changes to the snapshots, so that they are not attributed to a running command. */
import type { Result } from "@/lib/events/error";
import type { SafePath } from "@/server/security/paths/safe-path";
import type { FileSnapshots } from "./file-snapshots";
import { encodeText } from "../encoding/text-encoding";
import type { Files } from "../workspace";

/**
 * Wraps Files: announces every change to `images` before it is visible, and cancels the announcement if it failed.
 */
export function trackedFiles(files: Files, images: FileSnapshots): Files {
  async function announced<T>(
    paths: readonly SafePath[],
    work: () => Promise<Result<T>>,
    content?: () => Uint8Array | null,
  ): Promise<Result<T>> {
    const announcements = paths.map((path) => images.announceChange(path.relative));
    const done = await work();
    for (const announcement of announcements) {
      if (!done.ok) announcement.undo();
      else if (content !== undefined) announcement.done(content());
    }
    return done;
  }
  return {
    ...files,
    write: (path, text, expect, keep) =>
      announced(
        [path],
        () => files.write(path, text, expect, keep),
        () => {
          const bytes = encodeText(text, keep?.encoding ?? "utf8");
          return bytes.ok ? bytes.value : null;
        },
      ),
    writeBytes: (path, bytes, expect, mode) =>
      announced(
        [path],
        () => files.writeBytes(path, bytes, expect, mode),
        () => bytes,
      ),
    moveOut: (path, toFolder, expect) =>
      announced(
        [path],
        () => files.moveOut(path, toFolder, expect),
        () => null,
      ),
    moveBack: (fromFolder, path) => announced([path], () => files.moveBack(fromFolder, path)),
    rename: (from, to) => announced([from, to], () => files.rename(from, to)),
    copy: (from, to) => announced([to], () => files.copy(from, to)),
  };
}

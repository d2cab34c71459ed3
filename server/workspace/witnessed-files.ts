/** Files whose changes are told as they are made, so that nobody takes them for a command's. Used by projects.ts. */
import type { Result } from "@/lib/error";
import type { SafePath } from "../security/paths";
import type { Images } from "./images";
import { encodeText } from "./text-encoding";
import type { Files } from "./workspace";

/** The same files; every change is told to `images` before it can be seen, and taken back when it failed. */
export function witnessedFiles(files: Files, images: Pick<Images, "touching">): Files {
  async function told<T>(
    paths: readonly SafePath[],
    work: () => Promise<Result<T>>,
    content?: () => Uint8Array | null,
  ): Promise<Result<T>> {
    const touches = paths.map((path) => images.touching(path.relative));
    const done = await work();
    for (const touch of touches) {
      if (!done.ok) touch.undo();
      else if (content !== undefined) touch.done(content());
    }
    return done;
  }
  return {
    ...files,
    write: (path, text, expect, keep) =>
      told(
        [path],
        () => files.write(path, text, expect, keep),
        () => {
          const bytes = encodeText(text, keep?.encoding ?? "utf8");
          return bytes.ok ? bytes.value : null;
        },
      ),
    writeBytes: (path, bytes, expect, mode) =>
      told(
        [path],
        () => files.writeBytes(path, bytes, expect, mode),
        () => bytes,
      ),
    moveOut: (path, toFolder, expect) =>
      told(
        [path],
        () => files.moveOut(path, toFolder, expect),
        () => null,
      ),
    moveBack: (fromFolder, path) => told([path], () => files.moveBack(fromFolder, path)),
    rename: (from, to) => told([from, to], () => files.rename(from, to)),
  };
}

/** Copies a file, folder or link of a project under a free name; links stay links and nothing is replaced. */
import { posix } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import type { SafePath } from "@/server/security/paths/safe-path";
import { copyToNewPath } from "./copy-tree";
import { withEntryPath } from "./file-handle";
import { measureEntry } from "./move-entry";
import { statIfExists } from "./write-file";

/** A copy of a file or folder that the user makes. */
export const copyLimits = { files: 10_000, bytes: 500_000_000 } as const;

const namesMax = 10_000;

/** Yields the names for a copy: the name itself, then `name copy.ext`, `name copy 2.ext`, …; a copy is counted on. */
export function* copyNames(name: string, isFolder: boolean): Generator<string> {
  yield name;
  const extension = isFolder ? "" : posix.extname(name);
  const stem = name.slice(0, name.length - extension.length);
  const copied = /^(.+ copy)(?: (\d{1,6}))?$/.exec(stem);
  const start = copied?.[1] ?? `${stem} copy`;
  const first = copied === null ? 1 : Number(copied[2] ?? 1) + 1;
  for (let number = first; number < first + namesMax; number += 1)
    yield `${start}${number === 1 ? "" : ` ${number}`}${extension}`;
}

/** Implements Files.copy. Throws the operating system's error; the caller holds the project's write lock. */
export async function copyEntry(from: SafePath, to: SafePath): Promise<Result<void>> {
  if (to.absolute.startsWith(`${from.absolute}/`)) return fail("bad_path", undefined, { path: to.relative });
  const { files: maxFiles, bytes: maxBytes } = copyLimits;
  return withEntryPath(from, (place) =>
    withEntryPath(to, async (toPlace) => {
      if ((await statIfExists(toPlace)) !== null) return fail("exists", undefined, { path: to.relative });
      const size = await measureEntry(place, maxFiles + 1);
      if (size.files > maxFiles || size.bytes > maxBytes)
        return fail("too_large", undefined, { path: from.relative, ...size, maxFiles, maxBytes });
      await copyToNewPath(place, toPlace);
      return ok(undefined);
    }),
  );
}

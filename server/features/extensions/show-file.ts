/** One file of an extension as its page shows it, with the difference from the file that was enabled. */
import { join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { diffLinesSteps } from "@/lib/text/diff";
import type { ExtensionFileChange, ExtensionFileText, ExtensionFileView } from "@/lib/tools/extensions";
import { computeBlobIdSteps } from "@/server/base/id";
import { runStepsInSlices } from "@/server/base/steps";
import { readFileStart } from "@/server/workspace/files/read-file-start";
import { decodePlainText } from "./decode-text";
import type { ProjectId } from "@/lib/events/id";
import type { Approvals } from "./approvals";
import type { EnabledFile, EnabledFiles } from "./enabled-files";
import { extensionLimits } from "./extension-files";
import { type Extensions, findInProject, type ProjectExtensions, type StatedExtension } from "./extensions";

const diffMaxLines = 1_000;

/** The files of an extension, and those that it had when it was enabled. `enabled` null = they are not known. */
export function listFileChanges(
  { files, status }: Pick<StatedExtension, "files" | "status">,
  enabled: readonly EnabledFile[] | null,
): readonly ExtensionFileView[] {
  if (enabled === null || status !== "changed") return files.map(({ path, bytes }) => ({ path, bytes }));
  const before = new Map(enabled.map(({ path, hash }) => [path, hash]));
  const changeOf = (path: string, hash: string): ExtensionFileChange | undefined => {
    const old = before.get(path);
    return old === undefined ? "added" : old === hash ? undefined : "changed";
  };
  const shown = files.map(({ path, bytes, hash }): ExtensionFileView => {
    const change = changeOf(path, hash);
    return { path, bytes, ...(change === undefined ? {} : { change }) };
  });
  const paths = new Set(files.map(({ path }) => path));
  const removed = enabled.filter(({ path }) => !paths.has(path));
  return [...shown, ...removed.map(({ path, bytes }) => ({ path, bytes, change: "removed" as const }))].toSorted(
    (one, other) => (one.path < other.path ? -1 : 1),
  );
}

/**
 * Reads a listed file. Fails with not_found, changed_meanwhile (it is not the file that was listed). Rejects when the
 * signal fires.
 */
async function showFile(
  extension: Pick<StatedExtension, "folder" | "files">,
  path: string,
  enabled: readonly EnabledFile[] | null,
  signal: AbortSignal,
): Promise<Result<ExtensionFileText>> {
  const before = enabled?.find((one) => one.path === path);
  const listed = extension.files.find((one) => one.path === path);
  if (listed === undefined)
    return before === undefined ? fail("not_found") : ok({ text: before.text, isCut: false, change: "removed" });
  const bytes = await readFileStart(join(extension.folder, path), extensionLimits.bytes);
  if (bytes === null) return fail("changed_meanwhile");
  if ((await runStepsInSlices(computeBlobIdSteps(bytes), signal)) !== listed.hash) return fail("changed_meanwhile");
  const isCut = bytes.length > extensionLimits.shownFileBytes;
  const text = decodePlainText(bytes.subarray(0, extensionLimits.shownFileBytes), isCut);
  if (enabled === null || before?.hash === listed.hash) return ok({ text, isCut });
  const change = before === undefined ? "added" : "changed";
  const old = before?.text ?? null;
  if (old === null || text === null || isCut) return ok({ text, isCut, change });
  const { hunks } = await runStepsInSlices(diffLinesSteps(old, text, { maxLines: diffMaxLines }), signal);
  return ok({ text, isCut, change, ...(hunks === null ? {} : { hunks }) });
}

interface ShownFilesOptions {
  readonly enabled: Pick<EnabledFiles, "read">;
  readonly approvals: Pick<Approvals, "get">;
  readonly extensions: Pick<Extensions, "refresh">;
  readonly signal: AbortSignal;
}

interface ShownFile {
  readonly projectId: ProjectId;
  readonly extension: string;
  readonly path: string;
}

export function makeShownFiles({ enabled, approvals, extensions, signal }: ShownFilesOptions) {
  /** null = the extension is not changed, or its files are not known as they were enabled. */
  const readEnabled = async ({ path, status }: StatedExtension): Promise<readonly EnabledFile[] | null> => {
    const hash = status === "changed" ? (approvals.get(path)?.hash ?? null) : null;
    return hash === null ? null : enabled.read(path, hash);
  };
  return {
    /** The enabled files of changed extensions, by the path of the extension. */
    async readAll({ places }: ProjectExtensions): Promise<ReadonlyMap<string, readonly EnabledFile[]>> {
      const all = new Map<string, readonly EnabledFile[]>();
      for (const extension of places.flatMap((place) => place.extensions)) {
        const files = await readEnabled(extension);
        if (files !== null) all.set(extension.path, files);
      }
      return all;
    },
    async read({ projectId, extension, path }: ShownFile): Promise<Result<ExtensionFileText>> {
      const read = await extensions.refresh(projectId, signal);
      if (!read.ok) return read;
      const found = findInProject(read.value, extension);
      return found === undefined ? fail("not_found") : showFile(found, path, await readEnabled(found), signal);
    },
  };
}

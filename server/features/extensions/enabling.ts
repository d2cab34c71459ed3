/** Enables and disables extensions, and stores their files as they were enabled. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { Hash, ProjectId } from "@/lib/events/id";
import { type ExtensionsState, isExtensionProblem } from "@/lib/tools/extensions";
import type { Approvals } from "./approvals";
import type { EnabledFiles } from "./enabled-files";
import type { ExtensionIds } from "./extension-ids";
import { type Extensions, findInProject, type ProjectExtensions, type StatedExtension } from "./extensions";

/** Returns a function that changes what is enabled, and answers with the state after that. */
export const makeChange =
  (
    extensions: Pick<Extensions, "refresh" | "refreshAll">,
    list: (projectId: ProjectId) => Promise<Result<ExtensionsState>>,
    signal: AbortSignal,
  ) =>
  async (projectId: ProjectId, work: (read: ProjectExtensions) => Result<void>): Promise<Result<ExtensionsState>> => {
    const read = await extensions.refresh(projectId, signal);
    if (!read.ok) return read;
    const changed = work(read.value);
    if (!changed.ok) return changed;
    await extensions.refreshAll(signal);
    return list(projectId);
  };

interface EnablingOptions {
  readonly approvals: Approvals;
  readonly ids: ExtensionIds;
  readonly enabled: EnabledFiles;
  readonly extensions: Pick<Extensions, "readEnabled">;
  readonly change: ReturnType<typeof makeChange>;
  readonly signal: AbortSignal;
}

/** Implements enabling and disabling of extensions, with the rights that their tools have. */
export const makeEnabling = ({ approvals, ids, enabled, extensions, change, signal }: EnablingOptions) => ({
  async "extensions.enable"({ projectId, extension, hash }: EnabledInput) {
    let enabling: StatedExtension | null = null;
    const state = await change(projectId, (read) => {
      if (read.problem !== null) return { ok: false, error: read.problem };
      const found = checkEnabled(read, extension, hash);
      if (!found.ok) return found;
      enabling = found.value;
      if (approvals.get(extension) === null) ids.take(found.value.name, ownerOf(found.value, projectId));
      return approvals.set(extension, { hash, hasGate: found.value.definition.gate !== null });
    });
    const files = state.ok && enabling !== null ? await extensions.readEnabled(enabling, signal) : null;
    if (files !== null) await enabled.save(extension, { hash, files });
    return state;
  },
  async "extensions.disable"({ projectId, extension }: Omit<EnabledInput, "hash">) {
    const state = await change(projectId, (read) => {
      if (read.problem !== null) return { ok: false, error: read.problem };
      const found = findInProject(read, extension);
      if (found !== undefined) ids.release(found.name, ownerOf(found, projectId));
      return approvals.set(extension, null);
    });
    if (state.ok) await enabled.forget(extension);
    return state;
  },
});

interface EnabledInput {
  readonly projectId: ProjectId;
  readonly extension: string;
  readonly hash: Hash;
}

/** The only project that has it; null = all have. */
const ownerOf = ({ place }: StatedExtension, projectId: ProjectId): ProjectId | null =>
  place === "project" ? projectId : null;

/** The extension as it was shown to the user. */
function checkEnabled(read: ProjectExtensions, path: string, hash: Hash): Result<StatedExtension> {
  const found = findInProject(read, path);
  if (found === undefined || found.status === "gone") return fail("not_found");
  if (found.hash !== hash) return fail("changed_meanwhile");
  return found.problems.some(isExtensionProblem) ? fail("bad_input") : ok(found);
}

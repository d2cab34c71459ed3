/** Display order of a folder's findings, and whether one of them is sent to the model. Pure. */
import type { TrustFinding } from "@/lib/permissions/guard";

/** Findings that run by themselves first, files that are only read last. */
const dangerOrder = [
  "git_hook",
  "git_program",
  "hook_manager",
  "extensions",
  "mcp",
  "editor",
  "instructions",
] as const satisfies readonly TrustFinding["kind"][];

/** Whether the folder has an AGENTS.md, which is sent to the model from every folder, trusted or not. */
export const sendsInstructions = (findings: readonly TrustFinding[]): boolean =>
  findings.some(({ kind, path }) => kind === "instructions" && path === "AGENTS.md");

export const sortByDanger = (findings: readonly TrustFinding[]): readonly TrustFinding[] =>
  findings.toSorted((one, other) => dangerOrder.indexOf(one.kind) - dangerOrder.indexOf(other.kind));

/** In which order the findings of a folder are shown, and which of them the model is sent. Pure; used by trust-overlay and notices. */
import type { TrustFinding } from "@/lib/guard";

/** What runs by itself first, what is only read last. */
const dangers = [
  "git_hook",
  "git_program",
  "hook_manager",
  "mcp",
  "editor",
  "instructions",
] as const satisfies readonly TrustFinding["kind"][];

/** The file that the model is sent from every folder, trusted or not. */
export const sendsGuide = (findings: readonly TrustFinding[]): boolean =>
  findings.some(({ kind, path }) => kind === "instructions" && path === "AGENTS.md");

export const byDanger = (findings: readonly TrustFinding[]): readonly TrustFinding[] =>
  findings.toSorted((one, other) => dangers.indexOf(one.kind) - dangers.indexOf(other.kind));

/** In which order the findings of a folder are shown. Pure; used by trust-overlay. */
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

export const byDanger = (findings: readonly TrustFinding[]): readonly TrustFinding[] =>
  findings.toSorted((one, other) => dangers.indexOf(one.kind) - dangers.indexOf(other.kind));

/** Formats the line that the command line prints without a working sandbox. Pure. */
import type { SandboxState } from "@/lib/permissions/guard";
import { printable } from "./arguments/options";

/** Null = it works. */
export function sandboxLine({ program, works, why, fix }: SandboxState): string | null {
  if (works) return null;
  const reason = program === null || why === undefined ? "" : ` (${printable(why)})`;
  const next = fix === undefined ? "" : `; to get it, run: ${fix}, then restart gopi-web`;
  return `no sandbox here${reason}: in Full access commands run with your permissions${next}`;
}

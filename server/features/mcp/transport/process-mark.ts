/** Marks the processes of a program in their environment, so that the next start finds those that a crash left behind. */
import { randomBytes } from "node:crypto";
import type { CleanupJournal } from "@/server/workspace/shell/cleanup-journal";

const variable = "GOPI_MCP";

interface ProcessMark {
  /** As in the journal. */
  readonly marker: string;
  /** To be added to the environment of the program. */
  readonly environment: { readonly [name: string]: string };
  /** Removes the journal's entry. */
  forget(): void;
}

/** Records the processes of a program that is about to be started. */
export function markProcesses(leftovers: Pick<CleanupJournal, "record">): ProcessMark {
  const value = randomBytes(12).toString("hex");
  const marker = `${variable}=${value}`;
  return { marker, environment: { [variable]: value }, forget: leftovers.record({ marker }) };
}

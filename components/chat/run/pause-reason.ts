/** Why a limit paused a run, as a sentence. */
import type { Messages } from "../../messages/messages";

/** `code` = that of the run's error; null = none. Returns null for a code that is no limit of a run. */
export function pauseReason(code: string | null, { chat }: Messages): string | null {
  const reasons: Readonly<Record<string, string>> = chat.pausedBy;
  return code === null ? null : (reasons[code] ?? null);
}

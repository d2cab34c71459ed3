/** Records the time at which a person last used this server. */
import type { CommandName } from "@/lib/protocol/command";

/** Commands that pages send by themselves, also in the background. */
const automatic: ReadonlySet<string> = new Set<CommandName>(["app.welcome", "models.watch", "files.watch"]);

export interface LastUse {
  /** ms epoch; at first the start of this server. */
  at(): number;
  /** A client sent a command. */
  note(command: unknown): void;
}

export function makeLastUse(now: () => number): LastUse {
  let at = now();
  return {
    at: () => at,
    note(command) {
      if (typeof command === "string" && !automatic.has(command)) at = now();
    },
  };
}

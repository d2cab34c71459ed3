/** Logs unexpected errors of the program, of this process and of its pages, and counts them for the user. */
import type { UnexpectedErrors } from "@/lib/protocol/answers";

export interface ErrorLog {
  /** `name` = where it happened. */
  add(name: string, error: unknown): void;
  /** Those since the start. */
  read(): UnexpectedErrors;
}

/** Most characters of the last error that are kept. */
const maxChars = 300;

/** A page's text goes to the terminal of the server, where control sequences would act. */
const withoutControls = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, "");

export function makeErrorLog(log: (line: string) => void, now: () => number): ErrorLog {
  let errors: UnexpectedErrors = { count: 0, last: null };
  return {
    add(name, error) {
      const text = withoutControls(error instanceof Error ? error.message : String(error));
      const stack = error instanceof Error ? withoutControls(error.stack ?? "") : "";
      log(`${name}: ${stack || text}`);
      const line = `${name}: ${text.split("\n", 1)[0] ?? ""}`.slice(0, maxChars);
      errors = { count: errors.count + 1, last: { at: now(), text: line } };
    },
    read: () => errors,
  };
}

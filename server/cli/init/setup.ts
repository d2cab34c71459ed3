/** Declares what the steps of `gopi-web init` share. */
import type { Push } from "@/lib/protocol/push";
import { abortable } from "@/server/base/abort";
import type { CallOrThrow } from "../run/run-job";
import type { SessionLink } from "../session-link";
import type { InitArguments } from "../arguments/verb-arguments";
import type { SetupTerminal } from "./setup-terminal";

export interface Setup {
  readonly command: InitArguments;
  readonly terminal: SetupTerminal;
  readonly link: SessionLink;
  /** Rejects with RunFailure. Works after Ctrl+C, too. */
  readonly call: CallOrThrow;
  readonly pushes: PushWaiter;
  /** Aborts with Ctrl+C. */
  readonly signal: AbortSignal;
  /** Aborts with the second Ctrl+C. */
  readonly leave: AbortSignal;
}

/** Waits for messages of the server. */
export class PushWaiter {
  readonly #listeners = new Set<(push: Push) => void>();

  readonly onPush = (push: Push): void => {
    for (const listener of this.#listeners) listener(push);
  };

  /** Resolves with what `find` returns of a message, once that is not null. Rejects with the signal's reason. */
  async until<T>(find: (push: Push) => T | null, signal: AbortSignal): Promise<T> {
    let listener = (_push: Push): void => {};
    const found = new Promise<T>((resolve) => {
      listener = (push) => {
        const value = find(push);
        if (value !== null) resolve(value);
      };
    });
    this.#listeners.add(listener);
    try {
      return await abortable(found, signal);
    } finally {
      this.#listeners.delete(listener);
    }
  }
}

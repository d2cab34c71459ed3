/** The sign-ins that wait for their return address, by the state in it. */
import type { AuthorizationRequest } from "./authorization-request";
import type { CallbackPort } from "./callback-listener";
import type { SignInOwner } from "./stored-sign-ins";

/** Time for the user to sign in, ms. */
export const pendingMs = 600_000;
const maxPending = 20;

export interface PendingSignIn<T> {
  readonly subject: T;
  /** Address of the server. */
  readonly server: string;
  readonly owner: SignInOwner;
  readonly request: AuthorizationRequest;
  readonly redirectUrl: string;
  /** Another port of this machine that listens for the return address, used until this sign-in ends; null = none. */
  readonly returnPort: CallbackPort | null;
  /** Fires when the user signs out. */
  readonly cancelled: AbortSignal;
}

interface PendingSignIns<T> {
  /** It waits for ten minutes. Beyond the limit, the oldest one is given up. */
  add(state: string, one: PendingSignIn<T>): void;
  /** Returns it once. Null = there is none with this state. */
  take(state: string): PendingSignIn<T> | null;
  /** Fires when the sign-ins of this server are cancelled. */
  cancelled(server: string): AbortSignal;
  /** Ends the sign-ins of a server, those being prepared or finished too. */
  cancel(server: string): void;
}

export function makePendingSignIns<T>(now: () => number): PendingSignIns<T> {
  const pending = new Map<string, PendingSignIn<T> & { readonly until: number }>();
  const cancels = new Map<string, AbortController>();
  /** Null = there is none with this state. */
  function remove(state: string | undefined) {
    const found = state === undefined ? undefined : pending.get(state);
    if (state === undefined || found === undefined) return null;
    pending.delete(state);
    found.returnPort?.release();
    return found;
  }
  return {
    add(state, one) {
      for (const [key, { until }] of [...pending]) if (until <= now()) remove(key);
      const [oldest] = pending.keys();
      if (pending.size >= maxPending) remove(oldest);
      pending.set(state, { ...one, until: now() + pendingMs });
    },
    take(state) {
      const found = remove(state);
      return found !== null && now() < found.until && !found.cancelled.aborted ? found : null;
    },
    cancelled(server) {
      const cancel = cancels.get(server) ?? new AbortController();
      cancels.set(server, cancel);
      return cancel.signal;
    },
    cancel(server) {
      cancels.get(server)?.abort();
      cancels.delete(server);
    },
  };
}

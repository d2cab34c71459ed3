/** The browsers that signed in by the hub, each with its token of the person, for as long as the hub accepts that token. */
import { timeLimit } from "@/server/base/abort";
import type { FrontDoorServices } from "../front-door";
import type { HubClient, HubPerson } from "./hub-client";

/** Time between two looks at all tokens, ms. */
const lookMs = 300_000;
/** A hub that does not answer delays no connection for longer, ms. */
const connectMs = 2_000;

interface HubDevicesOptions {
  readonly client: Pick<HubClient, "person">;
  readonly isAllowed: (person: HubPerson) => boolean;
  /** Default: five minutes. */
  readonly lookMs?: number;
  readonly signal: AbortSignal;
}

interface HubDevices {
  add(device: string, token: string): void;
  /** Signs the browser out if the hub does not accept its sign-in, and returns false; true while the hub does not answer. */
  admits(device: string): Promise<boolean>;
  /** Signs out all browsers of an earlier process, and from then on looks at the tokens. The returned function signs all out. */
  begin(services: Pick<FrontDoorServices, "devices" | "revoke">): () => void;
}

export function makeHubDevices({ client, isAllowed, signal, ...options }: HubDevicesOptions): HubDevices {
  const tokens = new Map<string, string>();
  let services: Parameters<HubDevices["begin"]>[0] | null = null;
  const isAccepted = async (token: string): Promise<boolean> => {
    const person = await client.person(token, signal);
    return person === "unreachable" || (person !== "refused" && isAllowed(person));
  };
  const signOut = (device: string): void => {
    tokens.delete(device);
    services?.revoke(device);
  };
  const signOutAll = (): void => services?.devices().forEach(signOut);
  async function check(device: string): Promise<boolean> {
    const token = tokens.get(device);
    // Links of the command line do not count: the hub could not end their sign-in.
    const isIn = token !== undefined && (await isAccepted(token));
    if (!isIn && !signal.aborted) signOut(device);
    return isIn;
  }
  async function look(): Promise<void> {
    for (const device of [...tokens.keys()])
      if (services?.devices().includes(device) === false) tokens.delete(device);
      else await check(device);
  }
  return {
    add: (device, token) => void tokens.set(device, token),
    admits(device) {
      const late = timeLimit(connectMs);
      const limit = new Promise<boolean>((resolve) => late.addEventListener("abort", () => resolve(true)));
      return Promise.race([check(device), limit]);
    },
    begin(own) {
      services = own;
      signOutAll();
      const timer = setInterval(() => void look(), options.lookMs ?? lookMs).unref();
      return () => {
        clearInterval(timer);
        signOutAll();
      };
    },
  };
}

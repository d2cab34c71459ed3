import { useClient } from "./client";
import type { ServerState } from "./server-state";
import { useStore } from "./store";

/** Returns a member of the server's state; undefined until the welcome has arrived. */
export const useServerState = <K extends keyof ServerState>(key: K): ServerState[K] =>
  useStore(useClient().serverState, (state) => state[key]);

/**
 * A page that is hidden and idle gives up its connection, and takes it again when it is looked at: for the proxy of a hub, which
 * stops servers without traffic, the connection of a forgotten tab would be use.
 */
import type { QueryClient } from "@tanstack/react-query";
import type { SessionPages } from "../session/cached-session-lists";
import type { ServerConnection } from "./server-connection";

/** Time without a look after which a page is idle, ms. */
export const restAfterMs = 1_800_000;
/** A page that cannot rest yet looks again after this time, ms. */
export const restCheckMs = 60_000;

/** Watches the page until the returned function is called. */
export function restWhenHidden(connection: ServerConnection, cache: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isResting = false;
  const check = (): void => {
    // It reports the end of a run; a lost connection may be back later.
    isResting = connection.state.get() === "online" && !hasRunningSession(cache);
    if (isResting) connection.close();
    else timer = setTimeout(check, restCheckMs);
  };
  const changed = (): void => {
    clearTimeout(timer);
    if (document.visibilityState === "hidden") timer = setTimeout(check, restAfterMs);
    else if (isResting) connection.connect();
    isResting = false;
  };
  document.addEventListener("visibilitychange", changed);
  changed();
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", changed);
  };
}

const hasRunningSession = (cache: QueryClient): boolean =>
  cache
    .getQueriesData<SessionPages>({ queryKey: ["session.list"] })
    .some(([, data]) => data?.pages.some(({ rows }) => rows.some(({ status }) => status === "running")) === true);

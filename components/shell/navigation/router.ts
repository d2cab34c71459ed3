/**
 * Route table and the browser's URL as a store. Our own small router, because the page is one static file for every
 * path.
 */
import { useSyncExternalStore } from "react";
import { asId, type SessionId } from "@/lib/events/id";
import { currentPath, withBasePath, toAppPath } from "../../state/base-path";

export type Route =
  | { readonly page: "home" }
  | { readonly page: "session"; readonly id: SessionId }
  | { readonly page: "history" | "overview" }
  /** `tab` = id of a section, which may not exist; null = the list of them. */
  | { readonly page: "settings"; readonly tab: string | null }
  | { readonly page: "missing" };

/** Parses a path into a route. Total: an unknown path is `missing`. */
export function parseRoute(path: string): Route {
  const [first, second, ...more] = path.split("/").filter((part) => part !== "");
  if (more.length > 0) return { page: "missing" };
  if (first === undefined) return { page: "home" };
  if (first === "s" && second !== undefined && /^[A-Za-z0-9_-]{1,80}$/.test(second))
    return { page: "session", id: asId<SessionId>(second) };
  if ((first === "history" || first === "overview") && second === undefined) return { page: first };
  if (first === "settings") return { page: "settings", tab: second ?? null };
  return { page: "missing" };
}

const isConversationPath = (path: string): boolean => {
  const { page } = parseRoute(path);
  return page === "home" || page === "session";
};

/** Path of the last conversation page, before a page such as the settings was opened. */
let rememberedPath = "/";
export const lastConversationPath = (): string => rememberedPath;

function subscribe(listener: () => void): () => void {
  addEventListener("popstate", listener);
  return () => removeEventListener("popstate", listener);
}

/** Subscribes to the URL's path; null during static rendering, which shows the bare shell. */
export const usePath = (): string | null => useSyncExternalStore(subscribe, currentPath, () => null);

/** Subscribes to the URL's query string (a page's filters), including "?"; empty = none. */
export const useSearch = (): string =>
  useSyncExternalStore(
    subscribe,
    () => location.search,
    () => "",
  );

/** Parses the entry in a session's hash, `/s/<id>#<seq>`; null = none. */
export const parseSeqHash = (hash: string): number | null =>
  /^#[1-9]\d{0,14}$/.test(hash) ? Number(hash.slice(1)) : null;

export const useSeqHash = (): number | null =>
  useSyncExternalStore(
    subscribe,
    () => parseSeqHash(location.hash),
    () => null,
  );

/** Navigates to a path of this application, including query and hash. `replace` adds no history entry. */
export function navigate(path: string, method: "push" | "replace" = "push"): void {
  if (path === currentPath() + location.search + location.hash) return;
  if (isConversationPath(currentPath())) rememberedPath = currentPath();
  if (method === "push") history.pushState(null, "", withBasePath(path));
  else history.replaceState(null, "", withBasePath(path));
  // The browser reports only Back and Forward.
  dispatchEvent(new PopStateEvent("popstate"));
}

/** Document click listener: turns a plain click on a link of this application into a navigation without a page load. */
export function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.origin !== location.origin || link.target !== "" || link.hasAttribute("download")) return;
  const path = toAppPath(link.pathname);
  if (path === null || parseRoute(path).page === "missing") return;
  event.preventDefault();
  navigate(path + link.search + link.hash);
}

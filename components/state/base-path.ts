/**
 * The path below which a proxy publishes the pages (`--public-url`). Paths of the application begin with "/"; addresses, which
 * the browser and the server know, have the prefix before it. The page also tells whether a hub is before the server.
 */

/** Whether a hub starts and stops this server: a load of the page leads to it then. */
export const isOfHub = (): boolean =>
  typeof document !== "undefined" && document.documentElement.dataset.hub !== undefined;

/** With a first slash and without a final one; empty = the pages are at the root of their origin. */
const prefix = typeof document === "undefined" ? "" : (document.documentElement.dataset.base ?? "");

/** Address of a path of the application, of a file or of a call. */
export const withBasePath = (path: string): string => prefix + path;

/** Path of the application in an address of this origin; null = the address is outside of the prefix. */
export const toAppPath = (pathname: string): string | null =>
  pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : null;

/** Path of the page that is shown. A server is reached without its prefix, too. */
export const currentPath = (): string => toAppPath(location.pathname) ?? location.pathname;

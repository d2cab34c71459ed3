/** Addresses that a document names for its requests. Pure. */
import { isRecord } from "@/lib/events/content";
import { type DocumentObject, listOf, memberOf, objectOf, textOf } from "./document-value";

const maxAddresses = 20;

/**
 * Returns the absolute addresses of http and https, without the final slash. `base` = where the document was read from;
 * null = a text of the owner. Variables have their default values.
 */
export function readAddresses(servers: unknown, base: string | null): readonly string[] {
  const written = listOf(servers).slice(0, maxAddresses).filter(isRecord).map(readServerUrl);
  // Without any, the standard says that it is the place of the document.
  const urls = written.length === 0 ? (base === null ? [] : ["/"]) : written;
  return [...new Set(urls.flatMap((url) => toAddress(url, base) ?? []))];
}

function readServerUrl(server: DocumentObject): string {
  const variables = objectOf(memberOf(server, "variables"));
  return textOf(memberOf(server, "url")).replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const value = memberOf(objectOf(memberOf(variables, name)), "default");
    return typeof value === "string" || typeof value === "number" ? String(value) : whole;
  });
}

/** null = not an address of http or https, or one with credentials, a query or a variable without a value. */
export function toAddress(url: string, base: string | null): string | null {
  const trimmed = url.trim();
  if (trimmed === "" || /[{}]/.test(trimmed)) return null;
  const parsed = base === null ? tryUrl(trimmed) : tryUrl(trimmed, base);
  if (parsed === null) return null;
  const { protocol, username, password, origin, pathname } = parsed;
  if ((protocol !== "http:" && protocol !== "https:") || username !== "" || password !== "") return null;
  return origin + pathname.replace(/\/+$/, "");
}

const tryUrl = (text: string, base?: string): URL | null => (URL.canParse(text, base) ? new URL(text, base) : null);

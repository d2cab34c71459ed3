/** Fetches a document from the address that the owner typed. Nothing is sent but the request. */
import { addressScope, isPublicAddress } from "@/server/base/address-scope";
import { fail, ok, type Result } from "@/lib/events/error";
import { maxApiDocumentBytes } from "@/lib/tools/openapi";
import { makeEgress, publicEgressOptions } from "@/server/providers/egress/egress";

const timeoutMs = 60_000;

interface FetchedDocument {
  readonly bytes: Uint8Array;
  /** After redirects. */
  readonly url: string;
}

/**
 * Fails with bad_input if it is no address, tool_failed with the facts `reason`, `host` and `status`, or too_large. Private
 * addresses are read only if the typed one is private by its name. Rejects with the signal's reason.
 */
export async function fetchDocument(address: string, signal: AbortSignal): Promise<Result<FetchedDocument>> {
  const url = readDocumentUrl(address);
  if (url === null) return fail("bad_input", undefined, { reason: "address" });
  const accepts = addressScope(url.hostname) === "internet" ? isPublicAddress : () => true;
  const answer = await makeEgress({ ...publicEgressOptions, accepts }).send(
    {
      url,
      headers: { Accept: "application/json, application/yaml, text/yaml, text/plain, */*;q=0.5" },
      maxBytes: maxApiDocumentBytes,
      timeoutMs,
      follows: (to) => to.protocol === "https:" || to.origin === url.origin,
    },
    signal,
  );
  const { host } = url;
  if (!answer.ok) return fail("tool_failed", undefined, { reason: answer.error.reason, host });
  if (answer.value.kind === "redirect")
    return fail("tool_failed", undefined, { reason: "redirected", host, address: answer.value.to.origin });
  const { status, bytes, isCut } = answer.value;
  if (status >= 400) return fail("tool_failed", undefined, { reason: "http_status", host, status });
  if (isCut) return fail("too_large", undefined, { limit: maxApiDocumentBytes });
  return ok({ bytes: new Uint8Array(bytes), url: answer.value.url.href });
}

/** null = not an address of http or https without credentials. */
export function readDocumentUrl(text: string): URL | null {
  const trimmed = text.trim();
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (trimmed === "" || !URL.canParse(address)) return null;
  const url = new URL(address);
  url.hash = "";
  const isHttp = url.protocol === "http:" || url.protocol === "https:";
  return isHttp && url.username === "" && url.password === "" ? url : null;
}

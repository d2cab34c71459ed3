/** Adds the owner's keys to a request, by the schemes that were approved. The model neither gives nor sees them. Pure. */
import type { ApiScheme, RequestPlan } from "../operations/operation";
import type { ApiRequest } from "./build-request";
import { encodePart } from "./write-value";

interface KeyedRequest {
  readonly request: ApiRequest;
  /** The keys that it contains, in the forms in which they are sent. */
  readonly secrets: readonly string[];
  /** Schemes of which each needs a key that is not stored; empty = nothing is missing. */
  readonly missing: readonly string[];
}

type UsableScheme = ApiScheme & { readonly place: NonNullable<ApiScheme["place"]> };

/** `keyOf` returns the stored key of a scheme. The first alternative whose keys are all stored is used. */
export function applyKeys(
  request: ApiRequest,
  { security }: RequestPlan,
  schemes: readonly ApiScheme[],
  keyOf: (scheme: string) => string | null,
): KeyedRequest {
  const usable = new Map(
    schemes.flatMap((scheme): readonly [string, UsableScheme][] =>
      scheme.place === null ? [] : [[scheme.name, { ...scheme, place: scheme.place }]],
    ),
  );
  const isComplete = (names: readonly string[]): boolean =>
    names.length > 0 && names.every((name) => usable.has(name) && keyOf(name) !== null);
  const chosen = security.find(isComplete);
  const isOptional = security.length === 0 || security.some((names) => names.length === 0);
  if (chosen === undefined) return { request, secrets: [], missing: isOptional ? [] : (security[0] ?? []) };
  let keyed = request;
  const secrets: string[] = [];
  for (const name of chosen) {
    const scheme = usable.get(name);
    const key = keyOf(name);
    if (scheme === undefined || key === null) continue;
    secrets.push(...sentForms(scheme, key));
    keyed = addKey(keyed, scheme, key);
  }
  return { request: keyed, secrets, missing: [] };
}

/** A key as it is stored and as it is sent; for a pair, its password as well. */
function sentForms({ place }: UsableScheme, key: string): readonly string[] {
  switch (place) {
    case "header":
      return [key];
    case "basic":
      return [key, key.slice(key.indexOf(":") + 1), toBase64(key)];
    case "bearer":
      return [key, toBearerToken(key)];
    case "cookie":
    case "query":
      return [key, encodePart(key)];
  }
}

const toBase64 = (text: string): string => Buffer.from(text).toString("base64");
const toBearerToken = (key: string): string => key.replace(/^Bearer\s+/i, "");

function addKey(request: ApiRequest, { place, label }: UsableScheme, key: string): ApiRequest {
  const withHeader = (name: string, value: string): ApiRequest => ({
    ...request,
    headers: { ...request.headers, [name]: value },
  });
  switch (place) {
    case "header":
      return withHeader(label, key);
    case "basic":
      return withHeader("Authorization", `Basic ${toBase64(key)}`);
    case "bearer":
      return withHeader("Authorization", `Bearer ${toBearerToken(key)}`);
    case "cookie":
      return { ...request, cookies: [...request.cookies, `${label}=${encodePart(key)}`] };
    case "query": {
      const url = new URL(request.url);
      url.search = [url.search.slice(1), `${encodePart(label)}=${encodePart(key)}`]
        .filter((one) => one !== "")
        .join("&");
      return { ...request, url };
    }
  }
}

/** Whether a key can be part of a request. */
export const isUsableKey = (key: string): boolean => /^[\u0020-\u007e\u00a0-\u00ff]+$/.test(key);

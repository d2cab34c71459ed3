/** The ways in which the requests of a document are authenticated, and what an operation needs. Pure. */
import { isRecord } from "@/lib/events/content";
import type { ApiScheme } from "../operations/operation";
import { type DocumentObject, listOf, memberOf, objectOf, textOf } from "./document-value";
import { isCookieName, isKeyHeader } from "./header-names";
import { resolveReference, SkippedOperation } from "./references";

type KeyPlace = Extract<ApiScheme["place"], "header" | "query" | "cookie">;

const maxSchemes = 50;
const maxNameChars = 200;

export function readSchemes(root: DocumentObject): readonly ApiScheme[] {
  const schemes = objectOf(memberOf(objectOf(memberOf(root, "components")), "securitySchemes"));
  return Object.entries(schemes)
    .slice(0, maxSchemes)
    .map(([name, written]) => ({ name: name.slice(0, maxNameChars), ...readScheme(root, written) }));
}

function readScheme(root: DocumentObject, written: unknown): Omit<ApiScheme, "name"> {
  const scheme = objectOf(resolveQuietly(root, written));
  const type = textOf(memberOf(scheme, "type")).slice(0, maxNameChars);
  switch (type) {
    case "apiKey": {
      const place = textOf(memberOf(scheme, "in"));
      const label = textOf(memberOf(scheme, "name")).slice(0, maxNameChars);
      if (isKeyPlace(place) && canCarryKey[place](label)) return { place, label };
      return {
        place: null,
        label: [type, place, label]
          .filter((part) => part !== "")
          .join(" ")
          .slice(0, maxNameChars),
      };
    }
    case "http": {
      const kind = textOf(memberOf(scheme, "scheme")).toLowerCase();
      return kind === "basic" || kind === "bearer"
        ? { place: kind, label: kind }
        : { place: null, label: kind.slice(0, maxNameChars) || type };
    }
    // The owner signs in elsewhere and pastes the token.
    case "oauth2":
    case "openIdConnect":
      return { place: "bearer", label: type };
    default:
      return { place: null, label: type };
  }
}

/** Whether a key can be sent by that name. */
const canCarryKey: Readonly<Record<KeyPlace, (name: string) => boolean>> = {
  header: isKeyHeader,
  cookie: isCookieName,
  query: (name) => name !== "" && !/[\u0000-\u001f\u007f]/.test(name),
};

const isKeyPlace = (place: string): place is KeyPlace => Object.hasOwn(canCarryKey, place);

function resolveQuietly(root: DocumentObject, value: unknown): unknown {
  try {
    return resolveReference(root, value);
  } catch (error) {
    if (error instanceof SkippedOperation) return undefined;
    throw error;
  }
}

/** Returns the alternatives of an operation; none = it needs no key. */
export function readSecurity(root: DocumentObject, operation: DocumentObject): string[][] {
  const own = memberOf(operation, "security");
  const written = Array.isArray(own) ? own : memberOf(root, "security");
  return listOf(written)
    .filter(isRecord)
    .slice(0, maxSchemes)
    .map((alternative) => Object.keys(alternative).map((name) => name.slice(0, maxNameChars)));
}

/** Describes the access to a server at an address, and checks the address. */
import { addressScope } from "@/server/base/address-scope";

/** The token of a user who has signed in. Its functions throw McpError when it cannot be renewed now. */
export interface HttpAuthorization {
  /** Null = the user is signed out. */
  token(signal: AbortSignal): Promise<string | null>;
  /** The server refused the token: returns a renewed one; null = the user is signed out. */
  renew(refused: string, signal: AbortSignal): Promise<string | null>;
  /** The server requires permissions that the token does not have: the next sign-in requests them as well. */
  require(scopes: string): void;
  /** Values to mask now. */
  secrets(): readonly string[];
}

export interface HttpOptions {
  readonly kind: "http";
  readonly url: string;
  /** Null = streamable HTTP, then SSE. */
  readonly transport: "http" | "sse" | null;
  /** Sent to the origin of `url` only. */
  readonly headers: { readonly [name: string]: string };
  /** Values to mask in texts, beside those of the headers. */
  readonly secrets: readonly string[];
  /** More values to mask in its log and errors alone: in results they may be usual words. */
  readonly logSecrets: readonly string[];
  /** Null = the headers contain the key. */
  readonly authorization: HttpAuthorization | null;
}

/** Whether a name or an address is this machine or its network. */
export const isPrivateName = (hostname: string): boolean => ["machine", "network"].includes(addressScope(hostname));

/** https everywhere; http on this machine, and in a network that the user named himself. */
export const isSafeTarget = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && isPrivateName(hostname));

/** The host of an address, for errors: the rest may contain keys. */
export const shownHost = (address: string): string =>
  URL.canParse(address)
    ? new URL(address).host
    : address
        .replace(/^\w+:\/\//, "")
        .replace(/[/?#][^]*$/, "")
        .replace(/^.*@/, "");

/** A name of the network without TLS must not lead to the internet. */
export const acceptsPeer =
  ({ protocol }: URL) =>
  (address: string): boolean =>
    protocol === "https:" || isPrivateName(address);

/** Whether the user wrote a key into the headers: it is used in place of a sign-in. */
export const hasOwnKey = (headers: HttpOptions["headers"]): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === "authorization");

/** A shorter text would be masked in words. */
const minSecretChars = 4;

/** The parts of header values that must not be shown. */
export const headerSecrets = (headers: HttpOptions["headers"]): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    /auth|token|key|secret|cookie|password/i.test(name)
      ? [value, value.replace(/^\w+\s+/, "")].filter((secret) => secret.length >= minSecretChars)
      : [],
  );

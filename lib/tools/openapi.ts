/** State of APIs that an OpenAPI document describes: their operations are tools. JSON-serialisable. */
import type { Json } from "../events/content";
import type { AgentError } from "../events/error";
import type { Hash } from "../events/id";
import type { ToolDefinition } from "./tool-definitions";

/** Most documents, bytes of one, and operations of one that are read. */
export const maxApis = 20;
export const maxApiDocumentBytes = 20_000_000;
export const maxApiOperations = 2_000;

/**
 * Why an operation is no tool; `detail` of the reason = the address of the reference, the method, the media type, the
 * name of the field or parameter, the address of the other host, or what is wrong with the schema.
 */
export const apiSkipKinds = [
  /** A part of it is in another document, which is not fetched. */
  "foreign_reference",
  "missing_reference",
  "circular_reference",
  /** A method that is not sent. */
  "method",
  /** Its body must have a media type that cannot be written as fields. */
  "body_type",
  /** It requires a file. */
  "file",
  /** It requires a parameter that cannot be written in a request. */
  "parameter",
  /** It has an address of its own, at another host than the document. */
  "other_host",
  "schema",
  /** It comes after the limit of operations. */
  "limit",
] as const;
export type ApiSkipKind = (typeof apiSkipKinds)[number];

export interface ApiSkip {
  /** Such as `POST /pets`. */
  readonly operation: string;
  readonly kind: ApiSkipKind;
  readonly detail: string;
}

/** Place of a key in a request. `basic` = user name and password, as `name:password`. */
type ApiKeyPlace = "header" | "query" | "cookie" | "basic" | "bearer";

export interface ApiSchemeView {
  /** Its name in the document. */
  readonly name: string;
  /** Null = this program cannot use it. */
  readonly place: ApiKeyPlace | null;
  /** Name of the header, query parameter or cookie; else the type of the scheme. */
  readonly label: string;
  readonly hasKey: boolean;
}

/** Origin of the document of an API. */
export type ApiOrigin =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "file"; readonly name: string }
  | { readonly kind: "paste" };

/** An operation as the settings list it; the definitions of all would be megabytes. */
export interface ApiToolRow {
  /** Its own name. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** First sentence. */
  readonly about: string;
  readonly status: ApiToolStatus;
  readonly isPinned: boolean;
  /** Estimated tokens of its schema. */
  readonly tokens: number;
}

/** As for MCP servers. */
export type ApiToolStatus = "ready" | "off" | "new" | "changed" | "gone";

export interface ApiToolView extends ApiToolRow {
  /** As the model calls it. */
  readonly callName: string;
  readonly definition: ToolDefinition;
  /** Fields of the input, as a JSON Schema object in the subset that models get. */
  readonly parameters: Json;
  /** Hash that an approval is bound to. */
  readonly hash: Hash;
  /** Definition that was approved; only of a changed one. */
  readonly approved?: ToolDefinition;
}

export interface ApiView {
  /** Start of the names of its tools, unique. */
  readonly id: string;
  readonly title: string;
  /** Version of the API, in its own words. */
  readonly version: string;
  /** Such as `OpenAPI 3.1.0`. */
  readonly format: string;
  readonly origin: ApiOrigin;
  /** ms epoch */
  readonly loadedAt: number;
  /** Address that its requests are sent to; "" = the document names none. */
  readonly address: string;
  /** The addresses that the document names. */
  readonly addresses: readonly string[];
  /** The owner has confirmed the address. */
  readonly isConfirmed: boolean;
  /** The address is on this machine or in its network. */
  readonly isPrivate: boolean;
  readonly isEnabled: boolean;
  readonly counts: {
    /** Operations of the document, those that are no tools among them. */
    readonly operations: number;
    readonly tools: number;
    readonly ready: number;
    /** New, changed or gone since the approval. */
    readonly waiting: number;
  };
  readonly skipped: readonly ApiSkip[];
  readonly schemes: readonly ApiSchemeView[];
}

export interface OpenApiState {
  /** Ordered by id. */
  readonly apis: readonly ApiView[];
  /** Documents that cannot be read any more, by id. */
  readonly problems: readonly { readonly id: string; readonly error: AgentError }[];
}

/** Request that a trial would send. */
export interface ApiTrialRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
}

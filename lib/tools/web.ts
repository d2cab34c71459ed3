/** State of the web tools. JSON-serialisable. */
import type { AgentError } from "../events/error";

/** Search engines, in the order in which they are offered. */
export const webProviderIds = ["searxng", "brave", "tavily", "bocha", "duckduckgo"] as const;
export type WebProviderId = (typeof webProviderIds)[number];

export interface WebProviderState {
  readonly id: WebProviderId;
  readonly isEnabled: boolean;
  /** Entry that the owner has to make before it can be used. */
  readonly needs: "key" | "address" | "nothing";
  /** A key is stored. */
  readonly hasKey: boolean;
  /** Address of the owner's own server; "" = none. */
  readonly address: string;
  /** Host that gets the words of a search; "" = not known yet. */
  readonly host: string;
}

export interface WebState {
  /** Why it is not known what the owner chose: the web is off. Has the `path` of the file. */
  readonly problem?: AgentError;
  /** The tools are offered to models. */
  readonly isEnabled: boolean;
  /** In the order in which they are asked. */
  readonly providers: readonly WebProviderState[];
}

/**
 * Why a search engine gave no results: blocked = it takes the program for a robot; no_json = the server gives no JSON;
 * moved = it redirects; the others by its status, or because it was not reached.
 */
export type WebSearchReason =
  | "blocked"
  | "no_json"
  | "key"
  | "quota"
  | "moved"
  | "unreachable"
  | "timeout"
  | "bad_answer";

export interface WebSearchFailure {
  readonly provider: WebProviderId;
  readonly reason: WebSearchReason;
  readonly host: string;
  /** Status, or the message of the component that failed; without secrets. */
  readonly detail: string;
}

/** Outcome of a test of one search engine. */
export type WebTest =
  | { readonly ok: true; readonly hits: number; readonly ms: number }
  | { readonly ok: false; readonly failure: WebSearchFailure };

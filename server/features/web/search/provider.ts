/** Declares a search engine: its request for words, and the reader of its answer. */
import type { WebProviderId, WebSearchReason } from "@/lib/tools/web";

export interface WebHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

interface ProviderRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent = a GET request. */
  readonly body?: string;
}

export interface ProviderAnswer {
  readonly status: number;
  readonly text: string;
}

export type ProviderResult =
  | { readonly kind: "hits"; readonly hits: readonly WebHit[] }
  | { readonly kind: "failed"; readonly reason: WebSearchReason; readonly detail: string };

export interface SearchProvider {
  readonly id: WebProviderId;
  readonly needs: "key" | "address" | "nothing";
  /** Address of the service; "" = the owner's own server. */
  readonly address: string;
  /** Time between two requests, ms. */
  readonly intervalMs: number;
  /** `address` = its own, or that of the owner's server; `key` = "" if it needs none. */
  request(query: string, address: string, key: string): ProviderRequest;
  /** Reads an answer. */
  read(answer: ProviderAnswer): ProviderResult;
}

export const maxHits = 5;
/** Hits that are read; some may be of no use. */
export const maxReadHits = 20;

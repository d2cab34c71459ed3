/** The page of a sign-in that failed, with the next step. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { escapeHtml } from "@/server/session/export/escape-html";

/** In English and in Chinese: this page has none of the catalogues of the interface. */
type Sentence = Readonly<Record<"en" | "zh-CN", string>>;

export interface HubRefusal {
  readonly status: number;
  readonly sentence: Sentence;
  /** The next step. */
  readonly link: { readonly address: string; readonly text: Sentence };
}

const style =
  ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem}";

/** `headers` are those of the request: the language that the browser prefers. */
export function sendHubRefusal(
  response: ServerResponse,
  { headers }: Pick<IncomingMessage, "headers">,
  { status, sentence, link }: HubRefusal,
): void {
  const language = /^\s*zh\b/i.test(headers["accept-language"] ?? "") ? "zh-CN" : "en";
  response.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  });
  response.end(
    `<!doctype html><html lang="${language}"><meta name="viewport" content="width=device-width"><title>gopi-web</title><style>${style}</style><p>${escapeHtml(sentence[language])}</p><p><a href="${escapeHtml(link.address)}">${escapeHtml(link.text[language])}</a></p></html>\n`,
  );
}

/** The page of a sign-in that failed, with the next step. */
import type { ServerResponse } from "node:http";
import { escapeHtml } from "@/server/session/export/escape-html";

interface HubRefusal {
  readonly status: number;
  readonly sentence: string;
  /** The next step. */
  readonly link: { readonly address: string; readonly text: string };
}

const style =
  ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem}";

export function sendHubRefusal(response: ServerResponse, { status, sentence, link }: HubRefusal): void {
  response.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  });
  response.end(
    `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>gopi-web</title><style>${style}</style><p>${escapeHtml(sentence)}</p><p><a href="${escapeHtml(link.address)}">${escapeHtml(link.text)}</a></p></html>\n`,
  );
}

/** Answers without a body of the app: JSON and bare statuses. None of them may be cached or guessed as another type. */
import type { ServerResponse } from "node:http";
import type { AgentError, ErrorCode } from "@/lib/events/error";

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  // A string would be measured and encoded in two passes.
  response.end(Buffer.from(JSON.stringify(value)));
}

const plainText = {
  "Content-Type": "text/plain; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  Connection: "close",
} as const;

/** Redirects a request in plain http to https; the sentence is for programs that do not follow. */
export function sendToHttps(response: ServerResponse, address: string): void {
  response.writeHead(308, { Location: address, ...plainText });
  response.end(`This address speaks https: ${address}\n`);
}

/** Refuses a Host header that is none of this server's, with the option that allows it. */
export function sendWrongHost(response: ServerResponse, host: string): void {
  const name = /^[\w.:[\]-]{1,255}$/.test(host) ? host : "this name";
  sendText(
    response,
    421,
    `gopi-web doesn't answer to ${name}. If a proxy publishes it there, start it with --public-url and the address in the browser, such as --public-url https://${name === "this name" ? "ide.example.org" : name}/`,
  );
}

/** Sends one sentence, to people whose browser gets no page. */
export function sendText(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, plainText);
  response.end(`${sentence}\n`);
}

export function sendFound(response: ServerResponse, location: string): void {
  response.writeHead(302, { Location: location, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
  response.end();
}

export function sendEmpty(response: ServerResponse, status: number): void {
  response.writeHead(status, plainText);
  response.end();
}

const statusByCode: { readonly [code in ErrorCode]?: number } = {
  not_found: 404,
  not_folder: 404,
  bad_path: 400,
  is_folder: 400,
  not_a_file: 400,
  busy: 503,
  internal: 500,
};

/** Sends why a file is not sent; ends the connection if its first bytes have been sent. */
export const sendFileFailure = (response: ServerResponse, { code }: AgentError): void =>
  response.headersSent
    ? void response.destroy()
    : sendJson(response, statusByCode[code] ?? 403, { ok: false, error: { code } });

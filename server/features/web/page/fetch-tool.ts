/** The tool `web_fetch`: reads one address, in parts that fit the window. */
import { catalogueToolDescription } from "@/server/prompts/prompts";
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import { type ErrorCode, fail, ok, type Result } from "@/lib/events/error";
import type { WebFailure } from "@/lib/events/tool-kind";
import { addressScope } from "@/server/base/address-scope";
import { type Tool, ToolError, type ToolDependencies, type ToolResult } from "@/server/tools/core/tool";
import { formatDecimalSize } from "@/server/tools/core/to-tool-error";
import type { CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { cutText, toForeignLine } from "@/server/tools/toolbox/foreign-text";
import type { EgressFailure } from "@/server/providers/egress/egress";
import { defineWebTool } from "../web-tool";
import type { WebPage, WebPages } from "./web-pages";

const name = "web_fetch";
const maxUrlChars = 4_000;
const maxTitleChars = 200;
/** The page of an error says little. */
const maxErrorChars = 1_500;

interface FetchInput {
  readonly url: URL;
  /** Position in the text, UTF-16 units. */
  readonly from: number;
}

const inputSchema = z.object({ url: z.string(), from: z.optional(z.number()) });

const parameters: Json = {
  type: "object",
  properties: {
    url: { type: "string", description: "http or https" },
    from: { type: "integer", description: "where to go on in a long page" },
  },
  required: ["url"],
};

export const makeFetchTool = (pages: WebPages): CatalogueTool =>
  defineWebTool<FetchInput>({
    name,
    description: catalogueToolDescription(name),
    parameters,
    read: readFetchInput,
    target: ({ url }) => url.href,
    hosts: ({ url }) => [url.hostname],
    sent: ({ url }) => url.href,
    url: ({ url }) => url.href,
    check: ({ url }) => checkHost(url),
    run: (input, dependencies, signal) => fetchPage(pages, input, dependencies, signal),
    shortenFacts: shortenFetchFacts,
  });

/**
 * Returns what `web_fetch` returns of the start of a page, as a text. Fails with bad_input, and with the codes and facts of
 * the tool.
 */
export async function readPageText(pages: WebPages, address: string, signal: AbortSignal): Promise<Result<string>> {
  const input = readFetchInput({ url: address });
  if ("problem" in input) return fail("bad_input", input.problem);
  const { url } = input.value;
  const storeBlob = () => Promise.reject(new Error("An image is not stored for a model without vision."));
  try {
    checkHost(url);
    const { output } = await fetchPage(pages, input.value, { vision: false, storeBlob }, signal);
    return ok(output.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n"));
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { webFailure = null, host = "" } = error.facts;
    return fail(error.code, error.message, { webFailure, host });
  }
}

type FetchDependencies = Pick<ToolDependencies, "vision" | "storeBlob">;

async function fetchPage(
  pages: WebPages,
  { url, from }: FetchInput,
  dependencies: FetchDependencies,
  signal: AbortSignal,
): Promise<ToolResult> {
  const page = await pages.read(url, signal);
  if (!page.ok) throw toFetchError(page.error);
  return toFetchResult(page.value, url, from, dependencies);
}

function checkHost({ hostname }: URL): void {
  if (addressScope(hostname) !== "internet") throw notPublic(hostname);
}

function readFetchInput(input: Json): { readonly value: FetchInput } | { readonly problem: string } {
  const read = inputSchema.safeParse(input);
  const written = read.data?.url.trim() ?? "";
  const from = Math.max(0, Math.floor(read.data?.from ?? 0));
  const address = /^[a-z][a-z\d+.-]*:/i.test(written) && !/^[^/]*:\d/.test(written) ? written : `https://${written}`;
  const example = `Call it like this: ${name} {"url":"https://example.com/page"}`;
  if (written === "" || written.length > maxUrlChars || !URL.canParse(address))
    return { problem: `url must be the address of a page. ${example}` };
  const url = new URL(address);
  url.hash = "";
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return { problem: `${name} reads http and https only, not ${url.protocol} ${example}` };
  if (url.username !== "" || url.password !== "")
    return { problem: `url must not contain a user name or password. ${example}` };
  return { value: { url, from } };
}

/** `shown` = the host as the model reads it. */
const notPublic = (host: string, shown = host): ToolError =>
  new ToolError(
    "tool_failed",
    `${shown} is not a public host, and ${name} reads public pages only. Do not try other spellings; ask the user for what is there.`,
    { webFailure: "not_public", host },
  );

/** Returns the sentence for the model, and the facts from which the user's sentence is made. */
function toFetchError({ reason, host, detail }: EgressFailure): ToolError {
  const shown = toForeignLine(detail);
  const failed = (webFailure: WebFailure, text: string, code: ErrorCode = "tool_failed"): ToolError =>
    new ToolError(code, text, { webFailure, host });
  switch (reason) {
    case "not_public":
      return notPublic(host, host === detail ? host : `${host} (${shown})`);
    case "timeout":
      return failed("timeout", `${host} did not answer within 20 s. Try once more, or use another source.`, "timeout");
    case "unresolved":
      return failed("missing", `The host ${host} was not found (${shown}). Check the address.`);
    case "unreachable":
      return failed("unreachable", `${host} could not be read: ${shown}. Try once more, or use another source.`);
    case "too_many_redirects":
    case "bad_answer":
    case "not_http":
      return failed("unreadable", `${host} gave no readable answer: ${shown}. Use another source.`);
  }
}

async function toFetchResult(
  page: WebPage,
  url: URL,
  from: number,
  { vision, storeBlob }: FetchDependencies,
): Promise<ToolResult> {
  if (page.kind === "redirect") {
    if (page.to.length > maxUrlChars) throw new ToolError("tool_failed", `${url.href} redirects elsewhere.`);
    const place = new URL(page.to).hostname === url.hostname ? "another port or scheme" : "another host";
    return toTextOutput(`[from ${url.href}]\nThe address leads to ${place}. Read it with ${name}: ${page.to}`);
  }
  const { status, size } = page;
  const type = toForeignLine(page.type) || "no type";
  const facts = [String(status), type, formatDecimalSize(size)].join(", ");
  const head = `[from ${page.url}]`;
  switch (page.kind) {
    case "unsupported":
      throw new ToolError(
        "tool_failed",
        `${page.url} is neither text nor an image that can be shown: ${type}, ${page.isCut ? "more than " : ""}${formatDecimalSize(size)}. Use another source.`,
        { webFailure: "unreadable", host: new URL(page.url).host },
      );
    case "too_complex":
      throw new ToolError("tool_failed", `${page.url} is too complex to be read (${facts}). Use another source.`, {
        webFailure: "unreadable",
        host: new URL(page.url).host,
      });
    case "image": {
      if (!vision) return toTextOutput(`${head}\nImage (${facts}). This model cannot see images.`, { bytes: size });
      const blob = await storeBlob(page.bytes);
      const text = { type: "text" as const, text: `${head}\nImage (${facts})` };
      return { output: [text, { type: "image", mime: page.mime, blob }], facts: { bytes: size } };
    }
    case "text": {
      const { title, isCut } = page;
      const isError = status >= 400;
      const all = isError ? cutText(page.text, maxErrorChars) : page.text;
      if (from > 0 && from >= all.length)
        throw new ToolError("bad_input", `from ${from} is past the end: the page has ${all.length} characters.`);
      const start = isLowSurrogate(all, from) ? from - 1 : from;
      const titleLine = [toForeignLine(title, maxTitleChars), `(${facts})`].filter((one) => one !== "").join(" ");
      const note = isCut ? `\n[the page is longer; only its first ${formatDecimalSize(size)} were read]` : "";
      const body = all.slice(start).trimEnd();
      return {
        ...toTextOutput(`${head}\n${titleLine}\n\n${body === "" ? "(no text)" : body}${note}`, {
          bytes: size,
          fromChar: start,
        }),
        ...(isError ? { failed: true } : {}),
      };
    }
  }
}

const toTextOutput = (text: string, facts: ToolResult["facts"] = {}): ToolResult => ({
  output: [{ type: "text", text }],
  facts,
});

const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** The part that is shown begins after the first empty line; the next one begins where it ends. */
function shortenFetchFacts(
  facts: ToolResult["facts"],
  shownText: string,
): ReturnType<NonNullable<Tool["shortenFacts"]>> {
  const head = shownText.indexOf("\n\n") + 2;
  if (facts.fromChar === undefined || head < 2 || shownText.length <= head) return null;
  return { facts, next: `go on with from ${facts.fromChar + shownText.length - head}` };
}

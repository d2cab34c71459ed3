/** Files of the export whose addresses begin at the root of the origin, with addresses below a prefix instead. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { RequestHandler } from "sirv";
import { immutableCache } from "../http/static";

const exportedFile = String.raw`"/(?=_next/|manifest\.webmanifest|icon\.svg|apple-icon\.png)`;

/** Returns a page, or a script, with the prefix before the addresses of exported files. `prefix` is of URL characters only. */
const prefixText = (text: string, prefix: string): string =>
  text.replaceAll(new RegExp(exportedFile, "g"), `"${prefix}/`);

/**
 * The same for a page, which also tells its scripts the prefix (components/state/base-path.ts reads it), and whether a hub
 * starts and stops the server.
 */
const prefixPage = (page: string, { prefix, isOfHub = false }: PagePlace): string =>
  prefixText(page, prefix).replace("<html ", `<html data-base="${prefix}"${isOfHub ? " data-hub" : ""} `);

interface PagePlace {
  /** Path below which the pages are. */
  readonly prefix: string;
  readonly isOfHub?: boolean;
}

export interface PrefixedFiles {
  prefixPage(page: string): string;
  /**
   * Serves the page and the scripts that contain such addresses, each read and rewritten once; everything else is left to
   * the next handler.
   */
  readonly serve: RequestHandler;
}

interface PrefixedFile {
  readonly etag: string;
  readonly headers: { readonly [name: string]: string };
  /** By Content-Encoding; the last one is of clients that take no other. */
  readonly bodies: ReadonlyMap<string, Buffer>;
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
/** Close to the size of the best quality in a fraction of its time. */
const brotliQuality = 6;

const pageType = { "Content-Type": "text/html;charset=utf-8" };
const scriptType = {
  "Content-Type": "text/javascript;charset=utf-8",
  "Cache-Control": immutableCache,
  "X-Content-Type-Options": "nosniff",
};

async function preparePrefixed(text: string, headers: PrefixedFile["headers"]): Promise<PrefixedFile> {
  const bytes = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
  const [br, gz] = await Promise.all([compressBrotli(bytes, { params }), compressGzip(bytes)]);
  return {
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`,
    headers,
    bodies: new Map([
      ["br", br],
      ["gzip", gz],
      ["identity", bytes],
    ]),
  };
}

/** `folder` is the build's export. */
export function makePrefixedFiles(folder: string, place: PagePlace): PrefixedFiles {
  const files = new Map<string, Promise<PrefixedFile | null>>();
  async function read(path: string): Promise<PrefixedFile | null> {
    const isPage = path.endsWith(".html");
    const text = await readFile(join(folder, path), "utf8");
    const prefixed = isPage ? prefixPage(text, place) : prefixText(text, place.prefix);
    return prefixed === text ? null : preparePrefixed(prefixed, isPage ? pageType : scriptType);
  }
  /** Anyone may request names of which there is no file. */
  function leaveOut(path: string): null {
    files.delete(path);
    return null;
  }
  const find = (path: string): Promise<PrefixedFile | null> => {
    const file = files.get(path) ?? read(path).catch(() => leaveOut(path));
    files.set(path, file);
    return file;
  };
  // Every start is followed by a request for the page.
  void find("/index.html");
  const serve: RequestHandler = (request, response, next) => {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    // Exported names only: none leads out of the folder.
    if (!/^\/(?:index\.html|_next\/static\/[\w/~-][\w./~-]*\.js)$/.test(path)) return next?.();
    void find(path).then((found) => (found === null ? next?.() : sendPrefixed(request, response, found)));
  };
  return { prefixPage: (page) => prefixPage(page, place), serve };
}

function sendPrefixed({ headers, method }: IncomingMessage, response: ServerResponse, file: PrefixedFile): void {
  const accepted = String(headers["accept-encoding"] ?? "");
  const [encoding = "identity", body] =
    [...file.bodies].find(([name]) => name === "identity" || new RegExp(String.raw`\b${name}\b`).test(accepted)) ?? [];
  const isSame = headers["if-none-match"] === file.etag;
  response.writeHead(isSame ? 304 : 200, {
    ETag: file.etag,
    Vary: "Accept-Encoding",
    ...file.headers,
    ...(isSame ? {} : { "Content-Length": body?.length ?? 0 }),
    ...(isSame || encoding === "identity" ? {} : { "Content-Encoding": encoding }),
  });
  response.end(isSame || method === "HEAD" ? undefined : body);
}

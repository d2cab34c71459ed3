/** An HTTP server below a path of its origin, behind proxies that remove this prefix, and behind those that leave it. */
import { IncomingMessage, type RequestListener, Server, type ServerOptions } from "node:http";

/**
 * A path in which `@` and `%40` are the same, as they are for proxies. What may be read in two ways stays encoded: dots,
 * slashes, percent signs.
 */
const unifyPath = (path: string): string =>
  path.replaceAll(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w~@+,=:!-]/.test(character) ? character : code.toUpperCase();
  });

/**
 * The same address without the prefix, whether the proxy before this server has removed it already or not. A proxy that
 * leaves it may have encoded it in another way.
 */
function cutPrefix(url: string, prefix: string): string {
  const start = url.split("/", prefix.split("/").length).join("/");
  return url[start.length] === "/" && unifyPath(start) === unifyPath(prefix) ? url.slice(start.length) : url;
}

/**
 * A server whose listeners all get addresses without the prefix, those of socket.io too, which looks at the address before
 * any other listener.
 */
class PrefixedServer extends Server {
  constructor(
    private readonly prefix: string,
    options: ServerOptions,
    listener: RequestListener,
  ) {
    super(options, listener);
  }

  override emit(event: string, ...parts: unknown[]): boolean {
    const [request] = parts;
    if ((event === "request" || event === "upgrade") && request instanceof IncomingMessage)
      request.url = cutPrefix(request.url ?? "", this.prefix);
    return super.emit(event, ...parts);
  }
}

/** Creates the HTTP server; without a prefix it is a plain one. */
export const createPrefixedServer = (prefix: string, options: ServerOptions, listener: RequestListener): Server =>
  prefix === "" ? new Server(options, listener) : new PrefixedServer(prefix, options, listener);

/** A proxy before a model server that answers 401 to requests without one header, as nginx does. */
import { createServer, request as forward } from "node:http";
import { onTestFinished } from "vitest";

interface LockedServer {
  readonly url: string;
  /** `METHOD /path` of the requests in order. */
  readonly admitted: string[];
  readonly refused: string[];
}

export const basicValue = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

/** `header` is the lowercase name; a page that quotes what it was sent comes with the status. */
export async function startLockedServer(target: string, header: string, value: string): Promise<LockedServer> {
  const admitted: string[] = [];
  const refused: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method, url = "/", headers } = incoming;
    const isAdmitted = headers[header] === value;
    (isAdmitted ? admitted : refused).push(`${method} ${url}`);
    if (!isAdmitted) {
      incoming.resume();
      outgoing.writeHead(401, { "content-type": "text/html", "www-authenticate": 'Basic realm="models"' });
      return outgoing.end(`<html><body><h1>401 Authorization Required</h1>${headers[header]}</body></html>`);
    }
    const onward = forward(`${target}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    outgoing.once("close", () => onward.destroy());
    onward.once("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  return { url: `http://127.0.0.1:${address.port}`, admitted, refused };
}

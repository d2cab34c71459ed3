import { createServer, type Server } from "node:net";
import { afterEach, expect, it } from "vitest";
import { nodeFetch } from "./node-fetch";

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

/** Accepts connections and never answers; counts them. */
async function silent(): Promise<{ readonly url: string; connections(): Promise<number> }> {
  const listening = createServer((socket) => void socket.on("error", () => undefined));
  server = listening;
  await new Promise<void>((done) => void listening.listen(0, "127.0.0.1", done));
  const address = listening.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/`,
    connections: () =>
      new Promise((resolve, reject) =>
        listening.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      ),
  };
}

const get = { method: "GET", headers: {} };

it("a request aborted before it started is not sent", async () => {
  const { url, connections } = await silent();
  const stop = new AbortController();
  const answer = nodeFetch(url, get, stop.signal);
  stop.abort(new Error("stopped"));
  await expect(answer).rejects.toThrow("stopped");
  expect(await connections()).toBe(0);
});

it("a request aborted while the server is silent rejects with the reason", async () => {
  const { url } = await silent();
  const stop = new AbortController();
  const answer = nodeFetch(url, get, stop.signal);
  await new Promise<void>((reached) => void server?.once("connection", () => reached()));
  stop.abort(new Error("stopped"));
  await expect(answer).rejects.toThrow("stopped");
});

it("a connection to an address that is not accepted is closed before the request is sent", async () => {
  const { url } = await silent();
  const received: Buffer[] = [];
  const closed = new Promise<void>((resolve) => {
    server?.once("connection", (socket) => {
      socket.on("data", (chunk: Buffer) => received.push(chunk));
      socket.once("close", () => resolve());
    });
  });
  const seen: string[] = [];
  const accepts = (address: string): boolean => seen.push(address) > 1;
  const request = nodeFetch(url.replace("http:", "https:"), { ...get, accepts }, new AbortController().signal);
  await expect(request).rejects.toThrow("127.0.0.1 is not accepted");
  await closed;
  expect(seen).toEqual(["127.0.0.1"]);
  // At most the first message of TLS, which is of type 22 and has a length; a request would be in the next ones.
  const sent = Buffer.concat(received);
  if (sent.length > 0) expect([sent[0], sent.length]).toEqual([22, 5 + sent.readUInt16BE(3)]);
});

it("a server that switches protocols unasked gave no answer", async () => {
  const { url } = await silent();
  server?.once("connection", (socket) => {
    socket.once("data", () =>
      socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"),
    );
  });
  await expect(nodeFetch(url, get, new AbortController().signal)).rejects.toThrow("closed without an answer");
});

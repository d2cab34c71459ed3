import { createServer } from "node:http";
import { createServer as createSilent, type Server } from "node:net";
import { createServer as createTls } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { ProviderError } from "../provider";
import { requestBytes } from "./answer-bytes";

const never = new AbortController().signal;

async function listen(server: Server): Promise<string> {
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  return `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

const refused = (): ProviderError => new ProviderError({ code: "server_error" });
const failureOf = (url: string): Promise<unknown> =>
  requestBytes({ url, key: null, refused }, never).then(
    () => null,
    (error: unknown) => (error instanceof ProviderError ? error.error : error),
  );

test("http to a port of https is reported so", async () => {
  // Without a certificate it answers each handshake with an alert, which is TLS as well.
  const host = await listen(createTls(() => undefined));
  expect(await failureOf(`http://${host}/v1/models`)).toEqual({
    code: "wrong_scheme",
    facts: { host, speaks: "https" },
  });
});

test("https to a port of http is reported so", async () => {
  const host = await listen(createServer((_request, response) => response.writeHead(404).end()));
  expect(await failureOf(`https://${host}/v1/models`)).toEqual({
    code: "wrong_scheme",
    facts: { host, speaks: "http" },
  });
});

test.each([
  [400, "<center>The plain HTTP request was sent to HTTPS port</center>", "wrong_scheme"],
  [400, "Client sent an HTTP request to an HTTPS server.\n", "wrong_scheme"],
  [400, "Reason: You're speaking plain HTTP to an SSL-enabled server port.", "wrong_scheme"],
  [400, "Bad Request\nThis combination of host and port requires TLS.", "wrong_scheme"],
  [400, "no such model", "server_error"],
  [500, "requires TLS", "server_error"],
])("an answer %i with %j is %s", async (status, body, code) => {
  const host = await listen(createServer((_request, response) => response.writeHead(status).end(body)));
  expect(await failureOf(`http://${host}/v1/models`)).toMatchObject({ code });
});

test("a server that speaks neither stays what it is", async () => {
  const host = await listen(createSilent((socket) => void socket.destroy()));
  for (const scheme of ["http", "https"])
    expect(await failureOf(`${scheme}://${host}/`)).toMatchObject({ name: "SocketError" });
});

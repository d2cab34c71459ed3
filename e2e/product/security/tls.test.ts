// https of the built product: the sign-in over it, its socket, the command line beside it, and starts that fail.
import { request } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { io } from "socket.io-client";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeCertificate } from "../../fixtures/certificate";
import { makeProductEnvironment, ProductCommand, startProductServer } from "../../fixtures/server";

interface SecureAnswer {
  readonly cookie: string;
  readonly body: string;
}

const postSecurely = (origin: string, token: string): Promise<SecureAnswer> =>
  new Promise((resolve, reject) => {
    const headers = { "Content-Type": "application/json", Origin: origin };
    const options = { method: "POST", headers, rejectUnauthorized: false, agent: false };
    request(`${origin}/api/sign-in`, options, (response) => {
      const cookie = response.headers["set-cookie"]?.[0] ?? "";
      text(response).then((body) => resolve({ cookie, body }), reject);
    })
      .on("error", reject)
      .end(JSON.stringify({ token }));
  });

describe("--tls-cert and --tls-key", () => {
  test("sign a browser in with a Secure cookie, open its socket, and leave the command line working", async () => {
    const place = makeProductEnvironment();
    const { cert, key } = makeCertificate(place.root, "one");
    const server = await startProductServer(place, ["--tls-cert", cert, "--tls-key", key]);
    onTestFinished(async () => expect(await server.stop()).toEqual([]));
    const link = new URL(server.url);
    expect(link.origin).toBe(`https://localhost:${server.port}`);
    const { cookie, body } = await postSecurely(link.origin, link.hash.replace("#token=", ""));
    expect(cookie).toMatch(/^__Host-gopi_\d+=.*; Secure$/);
    const socket = io(link.origin, {
      transports: ["websocket"],
      rejectUnauthorized: false,
      reconnection: false,
      auth: { page: JSON.parse(body).value.page },
      extraHeaders: { Origin: link.origin, Cookie: cookie.split(";", 1).join("") },
    });
    onTestFinished(() => void socket.disconnect());
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("connect_error", reject);
    });
    const status = await new ProductCommand(place, ["status", "--json"]).done();
    expect(JSON.parse(status.stdout)).toMatchObject({ server: { responds: true }, tls: { file: cert } });
  });

  test("end the start with one line that names the file and the next step", async () => {
    const place = makeProductEnvironment();
    onTestFinished(() => void place.remove());
    const [one, other] = [makeCertificate(place.root, "one"), makeCertificate(place.root, "other")];
    const start = (cert: string, key: string) =>
      new ProductCommand(place, ["--no-open", "--port", "0", "--tls-cert", cert, "--tls-key", key]).done();
    const mismatch = await start(one.cert, other.key);
    expect(mismatch.code).toBe(1);
    expect(mismatch.stderr).toBe(
      `Can't use ${other.key} for https: the key belongs to another certificate; use the two files that were made together.\n`,
    );
    expect((await start(join(place.root, "none.pem"), one.key)).code).toBe(2);
  });
});

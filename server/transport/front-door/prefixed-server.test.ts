import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createPrefixedServer } from "./prefixed-server";

/** Returns the address that a listener which is added later, as socket.io's are, gets for a requested one. */
async function addressOf(target: string, head = "", prefix = "/user/x"): Promise<string | undefined> {
  const server = createPrefixedServer(prefix, {}, (_request, response) => void response.end());
  const received = new Promise<string | undefined>((resolve) => {
    server.prependListener("request", ({ url }) => resolve(url));
    server.prependListener("upgrade", ({ url }, socket) => {
      socket.destroy();
      resolve(url);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const socket = connect(typeof address === "object" && address !== null ? address.port : 0, "127.0.0.1");
  onTestFinished(() => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n${head}\r\n`);
  return received;
}

test.each([
  ["/user/x/", "/"],
  ["/user/x/api/call?a=/user/x/", "/api/call?a=/user/x/"],
  // A proxy has removed the prefix.
  ["/api/call", "/api/call"],
  ["/", "/"],
  // Removed once, and only as whole parts of the path.
  ["/user/x/user/x/s/1", "/user/x/s/1"],
  ["/user/x", "/user/x"],
  ["/user/xy/", "/user/xy/"],
  ["/USER/x/", "/USER/x/"],
  ["/user%2Fx/", "/user%2Fx/"],
  ["/user/x%2F", "/user/x%2F"],
  ["/user/x?/", "/user/x?/"],
  // A path that is refused without a prefix is refused below it: server/transport/auth/guard.ts gets it as it is.
  ["/user/x//evil.example/", "//evil.example/"],
  ["/user/x/../api", "/../api"],
  ["/user/x/%2e%2e/api", "/%2e%2e/api"],
  ["//user/x/api", "//user/x/api"],
])("%s reaches every listener as %s", async (target, address) => {
  expect(await addressOf(target)).toBe(address);
});

test("the upgrade of a WebSocket has no prefix either", async () => {
  const head = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
  expect(await addressOf("/user/x/socket.io/?EIO=4", head)).toBe("/socket.io/?EIO=4");
});

test.each([
  ["/u/a@b.org", "/u/a%40b.org/s/%40", "/s/%40"],
  ["/u/a%40b.org", "/u/a@b.org/s/1", "/s/1"],
  ["/u/%c3%a9", "/u/%C3%A9/", "/"],
  ["/u/a", "/u/%61/", "/"],
  // A dot that is encoded is refused later, wherever it is.
  ["/u/b.org", "/u/b%2Eorg/", "/u/b%2Eorg/"],
])("below %s, %s of a proxy that encodes it in another way is %s", async (prefix, target, address) => {
  expect(await addressOf(target, "", prefix)).toBe(address);
});

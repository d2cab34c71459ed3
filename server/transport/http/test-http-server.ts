/** An HTTP server over a real store, for tests of access and routes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { fail } from "@/lib/events/error";
import type { SessionId } from "@/lib/events/id";
import { openStore } from "@/server/store/open-store";
import { type ListenAddress, loopbackNames } from "../auth/guard";
import { makeSignIns } from "../auth/sign-in";
import type { FrontDoor } from "../front-door/front-door";
import { makeHttpServer } from "./http";

interface TestServerOptions extends Partial<ListenAddress> {
  readonly frontDoor?: FrontDoor;
  /** Default: the store is open. */
  readonly store?: Promise<void>;
}

/** The HTTP server with a one-word page, and a record of the sessions it prepared. */
export async function startTestServer({ frontDoor, store: opening, ...listenAddress }: TestServerOptions = {}) {
  const home = mkdtempSync(join(tmpdir(), "gopi-http-"));
  const opened = openStore({ home, now: Date.now });
  if (!opened.ok) throw new Error(opened.error.code);
  const store = opened.value;
  const prepared: SessionId[] = [];
  const bugs: string[] = [];
  let port = 0;
  const signIns = makeSignIns({
    store: store.signIns,
    port: () => port,
    publicAddress: listenAddress.publicAddress,
    bearer: "b".repeat(32),
    now: Date.now,
  });
  const http = makeHttpServer({
    listenAddress: () => ({ names: loopbackNames, ...listenAddress, port }),
    version: "1",
    now: () => 0,
    serveStatic: (_request, response) => void response.end("page"),
    reportBug: (context, error) => void bugs.push(`${context}: ${String(error)}`),
    store: opening ?? Promise.resolve(),
    frontDoor,
    core: Promise.resolve({
      signIns,
      sessions: { prepare: (id: SessionId) => void prepared.push(id) },
      fileArchives: { open: () => Promise.resolve(fail("not_found")) },
      fileAccess: { isLink: () => false, read: () => Promise.resolve(fail("not_found")) },
      fileUploads: { receive: () => Promise.resolve(fail("not_found")) },
      freshLinkToken: signIns.freshLinkToken,
      call: (name, input) =>
        name === "session.import"
          ? Promise.resolve({ ok: true, value: input })
          : name === "mcp.finish_sign_in"
            ? Promise.resolve(finishSignIn(input))
            : name === "fails"
              ? Promise.reject(new Error("broken"))
              : Promise.resolve({ ok: true, value: null }),
    }),
  });
  await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
    store.close();
    rmSync(home, { recursive: true });
  });
  const signedIn = signIns.exchange(signIns.freshLinkToken(), "x", "192.0.2.7");
  if (signedIn === null || signedIn === "slow_down") throw new Error("not signed in");
  const cookie = signedIn.cookie.split(";", 1).join("");
  const get = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).text();
  return { prepared, bugs, cookie, get, port, http, freshToken: signIns.freshLinkToken };
}

const finishSignIn = (input: unknown) =>
  JSON.stringify(input).includes("state=right")
    ? ({ ok: true, value: { page: "/settings/tools#mcp/p1/docs" } } as const)
    : fail("not_found");

/** Redirects of downloads between public and private addresses, over a scripted network. */
import { describe, expect, test } from "vitest";
import type { nodeFetch } from "@/server/providers/wire/node-fetch";
import { openAnswer } from "./open-answer";

const never = new AbortController().signal;
const mirror = "https://mirror.example";

/** Addresses of the names; others are public. */
const addresses: Readonly<Record<string, string>> = {
  "nas.corp.example": "10.1.2.3",
  "files.corp.example": "10.1.2.4",
  "loop.example": "::1",
  "metadata.example": "169.254.169.254",
  "proxied.example": "198.18.0.7",
};

/** Requests of the first address are redirected to `target`, which sends the file. */
async function download(first: string, target: string) {
  const requested: string[] = [];
  const send: typeof nodeFetch = async (address, { accepts }) => {
    const { hostname, host } = new URL(address);
    if (accepts?.(addresses[hostname] ?? "151.101.1.1") === false) throw new Error("not accepted");
    requested.push(host);
    const isMoved = requested.length === 1;
    return {
      status: isMoved ? 302 : 200,
      statusText: "",
      header: (name) => (isMoved && name === "location" ? target : undefined),
      body: (async function* () {})(),
      destroy() {},
    };
  };
  const opened = await openAnswer(`${first}/file`, {}, never, send);
  return { opened, requested };
}

describe("a public server", () => {
  test.each([
    "https://10.0.0.1/file",
    "https://192.168.1.1:8443/file",
    "https://169.254.169.254/file",
    "https://127.0.0.1/file",
    "https://[fd00::1]/file",
    "https://[::ffff:10.0.0.1]/file",
    "https://localhost/file",
    "https://nas/file",
    "https://nas.local/file",
    "https://nas.corp.example/file",
    "https://loop.example/file",
    "https://metadata.example/file",
  ])("may not redirect to %s", async (target) => {
    const { opened, requested } = await download(mirror, target);
    expect(opened).toMatchObject({
      error: {
        code: "download_failed",
        facts: { host: "mirror.example", status: 0, privateHost: new URL(target).host },
      },
    });
    expect(requested).toEqual(["mirror.example"]);
  });

  test.each(["https://cdn.example/file", "/other", "https://proxied.example/file"])(
    "may redirect to %s",
    async (target) => {
      const { opened, requested } = await download(mirror, target);
      expect(opened.ok).toBe(true);
      expect(requested).toHaveLength(2);
    },
  );
});

test.each([
  ["https://10.0.0.9", "https://10.0.0.1/file"],
  ["https://mirror.lan", "https://nas.corp.example/file"],
  ["https://files.corp.example", "https://nas.corp.example/file"],
  ["https://files.corp.example", "https://10.0.0.1/file"],
  ["http://127.0.0.1:8080", "https://nas.corp.example/file"],
])("the private server %s may redirect to %s", async (first, target) => {
  const { opened, requested } = await download(first, target);
  expect(opened.ok).toBe(true);
  expect(requested).toHaveLength(2);
});

import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makePrefixedFiles } from "./prefixed-files";
import { makeStaticServer } from "../http/static";

const start = 'load("/_next/static/b.js")';
const page = `<!DOCTYPE html><html lang="en"><script>${start}</script><link href="/icon.svg?1"/><a href="/other">"/api/call"</a></html>`;
const files = {
  "index.html": page,
  "icon.svg": "<svg/>",
  "_next/static/b.js": 'const base = "/_next/"; const call = "/api/call";',
  "_next/static/plain.js": "const a = 1;",
  "_next/static/style.css": "a { background: url(../media/a.png) }",
};

/** The exported files below `/user/x`, as they are served after the prefix was removed from the address. */
async function startServer(receiveFolder: (folder: string) => void = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), "gopi-prefixed-"));
  mkdirSync(join(folder, "_next/static"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const serve = makeStaticServer(folder, makePrefixedFiles(folder, { prefix: "/user/x" }));
  receiveFolder(folder);
  const server = createServer((request, response) => serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  });
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return (path: string, headers: Record<string, string> = {}) => fetch(`${origin}${path}`, { headers });
}

test("addresses of exported files in pages and scripts get the prefix, others stay", async () => {
  const get = await startServer();
  const text = async (path: string): Promise<string> => (await get(path)).text();
  expect(await text("/s/s1")).toBe(
    page
      .replace("<html ", '<html data-base="/user/x" ')
      .replace('"/_next/', '"/user/x/_next/')
      .replace('"/icon.svg', '"/user/x/icon.svg'),
  );
  expect(await text("/_next/static/b.js")).toBe('const base = "/user/x/_next/"; const call = "/api/call";');
  for (const name of ["_next/static/plain.js", "_next/static/style.css", "icon.svg"] as const)
    expect(await text(`/${name}`)).toBe(files[name]);
});

test("the page's policy allows the scripts as they are sent", async () => {
  const get = await startServer();
  const policy = (await get("/")).headers.get("content-security-policy") ?? "";
  const sent = start.replace("/_next", "/user/x/_next");
  expect(policy).toContain(`'sha256-${createHash("sha256").update(sent).digest("base64")}'`);
});

test.each(["br", "gzip", "identity"])("a script is sent as %s, and not again when it is the same", async (encoding) => {
  const get = await startServer();
  const first = await get("/_next/static/b.js", { "accept-encoding": encoding });
  expect(first.headers.get("content-encoding") ?? "identity").toBe(encoding);
  expect(first.headers.get("cache-control")).toContain("immutable");
  expect(await first.text()).toContain('"/user/x/_next/"');
  const again = await get("/_next/static/b.js", { "if-none-match": first.headers.get("etag") ?? "" });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test.each(["/_next/static/none.js", "/_next/static/..%2f..%2findex.html", "/share.html/x.js"])(
  "%s is not found",
  async (path) => {
    const answer = await (await startServer())(path);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([404, null]);
  },
);

test("the name of a script that is not there is not stored", async () => {
  let folder = "";
  const get = await startServer((where) => (folder = where));
  expect((await get("/_next/static/new.js")).status).toBe(404);
  writeFileSync(join(folder, "_next/static/new.js"), files["_next/static/b.js"]);
  expect(await (await get("/_next/static/new.js")).text()).toContain('"/user/x/_next/"');
});

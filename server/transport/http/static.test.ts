import { createHash } from "node:crypto";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeStaticServer, pageHeaders } from "./static";

const script = "self.x=1";
const page = `<!doctype html><script>${script}</script><script src="/_next/static/a.js"></script><p>page</p>`;

describe("the page's headers", () => {
  it("allow its inline scripts by hash and nothing else inline", () => {
    const policy = pageHeaders(page)["Content-Security-Policy"] ?? "";
    const hash = createHash("sha256").update(script).digest("base64");
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}'`);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("connect-src 'self'");
  });
});

describe("the exported UI over HTTP", () => {
  let folder = "";
  let server: Server;
  let base = "";
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "gopi-static-"));
    mkdirSync(join(folder, "_next", "static"), { recursive: true });
    writeFileSync(join(folder, "index.html"), page);
    writeFileSync(join(folder, "share.html"), "<p>of viewers</p>");
    writeFileSync(join(folder, "icon.svg"), "<svg/>");
    writeFileSync(join(folder, "manifest.webmanifest"), "{}");
    writeFileSync(join(folder, "_next", "static", "a.js"), "1");
    const serve = makeStaticServer(folder);
    server = createServer((request, response) => serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    base = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  it.each([
    "/",
    "/s/s1234",
    "/history",
    "/settings/model",
    "/settings/model?x=1.js",
    "/index.html",
    "/share",
    "/share.html",
  ])("serves the one page at %s", async (path) => {
    const answer = await fetch(base + path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("<p>page</p>");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(answer.headers.get("cache-control")).toBe("no-cache");
  });

  it("makes assets immutable and other files revalidated", async () => {
    expect((await fetch(`${base}/_next/static/a.js`)).headers.get("cache-control")).toContain("immutable");
    const manifest = await fetch(`${base}/manifest.webmanifest`);
    expect(manifest.headers.get("content-type")).toBe("application/manifest+json");
    const icon = await fetch(`${base}/icon.svg`);
    expect(icon.status).toBe(200);
    expect(icon.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it.each(["/missing.js", "/_next/static/missing.js", "/.env", "/_next/"])(
    "returns 404 for the file %s",
    async (path) => {
      expect((await fetch(base + path)).status).toBe(404);
    },
  );

  it("lists the folder at the first asset, not before the first page", async () => {
    const later = makeStaticServer(folder);
    const other = createServer((request, response) => later(request, response));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const at = (path: string): string => `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}${path}`;
    expect((await fetch(at("/"))).status).toBe(200);
    writeFileSync(join(folder, "late.svg"), "<svg/>");
    expect((await fetch(at("/late.svg"))).status).toBe(200);
    other.close();
  });

  it.each(["/_next/../share.html", "/_next/%2e%2e/share.html", "/_next/static/../../share.html"])(
    "returns 404 for %s, which is the viewers' page by another name",
    async (path) => {
      // fetch would resolve the dots.
      const status = await new Promise((resolve) =>
        get({ port: new URL(base).port, host: "127.0.0.1", path }, (answer) => resolve(answer.resume().statusCode)),
      );
      expect(status).toBe(404);
    },
  );

  it("refuses other methods", async () => {
    expect((await fetch(base, { method: "POST" })).status).toBe(405);
  });
});

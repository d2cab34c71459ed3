/**
 * An empty page of the same Next version and configuration, built once and cached: the cost of a page before the
 * product's own code.
 */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { type Bench, cacheFolder, root } from "../bench";
import { readFirstOutputLine } from "../server/bench-product";

const emptyPageFiles: Readonly<Record<string, string>> = {
  "package.json": '{ "private": true, "type": "module" }\n',
  "app/layout.tsx":
    'import type { ReactNode } from "react";\nexport default function Layout({ children }: { children: ReactNode }) {\n  return <html lang="en"><body>{children}</body></html>;\n}\n',
  "app/[[...slug]]/page.tsx":
    "export const dynamicParams = false;\nexport function generateStaticParams() {\n  return [{ slug: [] as string[] }];\n}\nexport default function Page() {\n  return <main>Empty</main>;\n}\n",
};

/** Returns the folder of the export, building it if needed. */
export async function provideEmptyPage(bench: Bench): Promise<string> {
  const config = readFileSync(join(root, "next.config.mjs"), "utf8");
  const { version } = JSON.parse(readFileSync(join(root, "node_modules/next/package.json"), "utf8"));
  const key = createHash("sha256")
    .update(JSON.stringify([config, version, emptyPageFiles]))
    .digest("hex")
    .slice(0, 12);
  const pageFolder = join(cacheFolder, `empty-${key}`);
  if (existsSync(join(pageFolder, "index.html"))) return pageFolder;
  // Inside the checkout, so that Next resolves its packages, and outside node_modules, where Next does not compile
  // sources.
  const folder = join(root, ".bench-empty-page");
  try {
    await buildEmptyPage(bench, folder, config);
    cpSync(join(folder, "dist/ui"), pageFolder, { recursive: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return pageFolder;
}

async function buildEmptyPage(bench: Bench, folder: string, config: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of Object.entries(emptyPageFiles)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeFileSync(join(folder, "next.config.mjs"), config);
  bench.progress("building an empty Next page, once …");
  const env = { ...process.env, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };
  const child = bench.spawn([join(root, "node_modules/next/dist/bin/next"), "build"], { cwd: folder, env });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  await readFirstOutputLine(child);
  child.stdout?.resume();
  if ((await ended) !== 0) throw new Error("the empty page could not be built");
}

const contentTypes: Readonly<Record<string, string>> = { html: "text/html", js: "text/javascript", css: "text/css" };

interface ServedFolder {
  readonly folder: string;
  readonly url: string;
  readonly server: Server;
}

/** Serves a folder on a free port of this machine. */
export function serveFolder(folder: string): Promise<ServedFolder> {
  const server = createServer((request, response) => {
    const name = (request.url ?? "/").split("?", 1)[0] ?? "/";
    const path = join(folder, name === "/" ? "index.html" : name);
    if (!existsSync(path)) return void response.writeHead(404).end();
    response.writeHead(200, {
      "content-type": contentTypes[path.split(".").at(-1) ?? ""] ?? "application/octet-stream",
    });
    response.end(readFileSync(path));
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      resolve({ folder, url: `http://127.0.0.1:${port}/`, server });
    });
  });
}

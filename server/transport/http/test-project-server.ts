/** A server with one project over real sockets, for tests of the routes for files. */
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { makeFileAccess } from "@/server/handlers/project/file-access";
import { type ArchiveChoice, makeFileArchives } from "@/server/handlers/project/file-archives";
import { makeFileUploads } from "@/server/handlers/project/file-uploads";
import { makeModelRig } from "@/server/models/integration/test-model-rig";
import { makeFileTrash } from "@/server/workspace/files/file-trash";
import { loopbackNames } from "../auth/guard";
import { makeSignIns } from "../auth/sign-in";
import { makeHttpServer } from "./http";

const bearer = "b".repeat(32);
export const owner = { authorization: `Bearer ${bearer}` };

/** Serves a project with `files`, and signs a browser in. */
export async function serveProject(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: { readonly stalledFileMs?: number } = {},
) {
  const { root, store, projects } = await makeModelRig();
  const folder = join(root, "served");
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const opened = await projects.open(folder);
  if (!opened.ok) throw new Error(opened.error.code);
  const projectId = opened.value.project.id;
  let port = 0;
  let now = 1_000;
  const bugs: string[] = [];
  const signIns = makeSignIns({ store: store.signIns, port: () => port, bearer, now: Date.now });
  const fileAccess = makeFileAccess({ projects, now: () => now });
  const fileArchives = makeFileArchives({ projects, now: () => now });
  const trash = makeFileTrash({ store, projects, home: join(root, "home"), now: () => now, changed: () => {} });
  const http = makeHttpServer({
    listenAddress: () => ({ port, names: loopbackNames }),
    ...options,
    version: "1",
    now: () => 0,
    serveStatic: (_request, response) => void response.end("page"),
    reportBug: (context, error) => void bugs.push(`${context}: ${String(error)}`),
    store: Promise.resolve(),
    core: Promise.resolve({
      signIns,
      sessions: { prepare: () => {} },
      fileAccess,
      fileArchives,
      fileUploads: makeFileUploads({ projects, trash }),
      freshLinkToken: signIns.freshLinkToken,
      call: async () => ({ ok: true, value: null }),
    }),
  });
  port = await listenForTest(http);
  const signedIn = signIns.exchange(signIns.freshLinkToken(), "x", "192.0.2.7");
  if (signedIn === null || signedIn === "slow_down") throw new Error("not signed in");
  const page = { cookie: signedIn.cookie.split(";", 1).join(""), "x-gopi-page": signedIn.page };
  signIns.access(page);
  return {
    folder,
    port,
    page,
    bugs,
    trash,
    uploadTo: (folder: string, name: string, conflict = "fail") =>
      `/api/file?${new URLSearchParams({ project: projectId, folder, name, conflict }).toString()}`,
    addressOf: (path: string) => `/api/file?${new URLSearchParams({ project: projectId, path }).toString()}`,
    linkTo: (path: string) => fileAccess.link(projectId, path),
    archiveOf: (
      paths: readonly string[],
      hidden: Partial<Pick<ArchiveChoice, "hidesDotFiles" | "hidesIgnored">> = {},
    ) => fileArchives.link({ projectId, paths, hidesDotFiles: false, hidesIgnored: false, ...hidden }),
    pass: (ms: number) => void (now += ms),
    get: (target: string, headers: Record<string, string> = owner, method = "GET") =>
      fetch(`http://127.0.0.1:${port}${target}`, { headers, method }),
  };
}

/** Listens until the test ends; returns the port. */
export async function listenForTest(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Uploads over a real server, real sockets and real files. */
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { limits } from "@/lib/settings/settings";
import { owner, serveProject } from "./test-project-server";

const binary = { "content-type": "application/octet-stream" };

/** A served project, and `send`, which returns the value of the answer or its error code. */
async function serveUploads(files: Readonly<Record<string, string>> = {}) {
  const served = await serveProject(files);
  const post = (target: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${served.port}${target}`, {
      method: "POST",
      body: Buffer.from(body),
      headers: { ...owner, ...binary, ...headers },
    });
  const send = async (folder: string, name: string, body: string | Uint8Array, conflict?: string) => {
    const answer = await (await post(served.uploadTo(folder, name, conflict), body)).json();
    return answer.ok ? answer.value : answer.error.code;
  };
  return { ...served, post, send, read: (path: string) => readFileSync(join(served.folder, path), "utf8") };
}

test("a file arrives byte for byte, in folders that are created for it, and nothing else is left", async () => {
  const { folder, send, bugs } = await serveUploads({ "a.txt": "a" });
  const bytes = Uint8Array.from({ length: 3_000_001 }, (_, index) => index % 251);
  expect(await send("", "new/deep/图 1.bin", bytes)).toEqual({ path: "new/deep/图 1.bin", replaced: null });
  expect(readFileSync(join(folder, "new/deep/图 1.bin")).equals(bytes)).toBe(true);
  expect(statSync(join(folder, "new/deep/图 1.bin")).mode & 0o777).toBe(0o666 & ~process.umask());
  expect(await send("new", "empty", "")).toEqual({ path: "new/empty", replaced: null });
  expect(readdirSync(join(folder, "new"))).toEqual(["deep", "empty"]);
  expect(bugs).toEqual([]);
});

test("an existing file is refused, kept beside the new one, or replaced with the old one in the trash", async () => {
  const { folder, send, read, trash } = await serveUploads({ "run.sh": "old" });
  chmodSync(join(folder, "run.sh"), 0o755);
  expect(await send("", "run.sh", "new")).toBe("exists");
  expect(read("run.sh")).toBe("old");
  expect(await send("", "run.sh", "second", "keep")).toEqual({ path: "run copy.sh", replaced: null });
  expect(await send("", "run.sh", "third", "keep")).toEqual({ path: "run copy 2.sh", replaced: null });
  const { replaced } = await send("", "run.sh", "new", "replace");
  expect([read("run.sh"), read("run copy.sh"), statSync(join(folder, "run.sh")).mode & 0o777]).toEqual([
    "new",
    "second",
    0o755,
  ]);
  expect((await trash.list({})).entries).toMatchObject([{ id: replaced, path: "run.sh", sessionId: null }]);
  expect(await trash.restore(replaced)).toMatchObject({ ok: false, error: { code: "exists" } });
  expect(await send("", "none.txt", "x", "replace")).toEqual({ path: "none.txt", replaced: null });
});

test("a file that changed since the question is not replaced", async () => {
  const { folder, post, uploadTo, read, trash } = await serveUploads({ "a.txt": "old" });
  const { mtimeMs, size } = statSync(join(folder, "a.txt"));
  const version = `${mtimeMs.toString(36)}-${size.toString(36)}`;
  const target = `${uploadTo("", "a.txt", "replace")}&version=${version}`;
  writeFileSync(join(folder, "a.txt"), "changed");
  expect(await (await post(target, "new")).json()).toMatchObject({ error: { code: "changed_meanwhile" } });
  expect([read("a.txt"), readdirSync(folder), (await trash.list({})).entries]).toEqual(["changed", ["a.txt"], []]);
});

test("a file that changes while its replacement arrives is not replaced", async () => {
  const { folder, port, uploadTo, read, trash } = await serveUploads({ "a.txt": "old" });
  const { mtimeMs, size } = statSync(join(folder, "a.txt"));
  const path = `${uploadTo("", "a.txt", "replace")}&version=${mtimeMs.toString(36)}-${size.toString(36)}`;
  const sent = request({ port, host: "127.0.0.1", path, method: "POST", headers: { ...owner, ...binary } });
  sent.write("first half, ");
  await vi.waitUntil(() => readdirSync(folder).length > 1);
  writeFileSync(join(folder, "a.txt"), "changed");
  sent.end("second half");
  const [answer] = await once(sent, "response");
  const chunks: Buffer[] = await answer.toArray();
  expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({ error: { code: "changed_meanwhile" } });
  expect([read("a.txt"), readdirSync(folder), (await trash.list({})).entries]).toEqual(["changed", ["a.txt"], []]);
});

test("names and folders outside the rules are refused, and nothing is written", async () => {
  const { folder, send } = await serveUploads({ "a.txt": "a" });
  mkdirSync(join(folder, "sub"));
  symlinkSync("/tmp", join(folder, "out"));
  for (const name of ["", ".", "..", "../a", "/a", "sub/../a", "a//b", "sub/", "a\nb", "a\0", "a\u0085b"])
    expect([name, await send("", name, "x")]).toEqual([name, "bad_path"]);
  expect(await send("", ".git/hooks/post-commit", "x")).toBe("protected");
  expect(await send("", "out/x", "x")).toBe("outside");
  expect(await send("..", "x", "x")).toBe("outside");
  expect(await send("none", "x", "x")).toBe("not_found");
  expect(await send("a.txt", "x", "x")).toBe("not_folder");
  expect(await send("", "a.txt/x", "x")).toBe("not_folder");
  expect(await send("", "sub", "x", "replace")).toBe("is_folder");
  expect(readdirSync(folder).sort()).toEqual(["a.txt", "out", "sub"]);
});

test("only a page or program of the owner uploads, and no form of another page", async () => {
  const { folder, port, page, post, uploadTo } = await serveUploads();
  const target = uploadTo("", "x");
  const plain = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}${target}`, { method: "POST", body: "x", headers });
  const origin = `http://127.0.0.1:${port}`;
  expect((await plain(binary)).status).toBe(401);
  expect((await plain({ ...binary, cookie: page.cookie, origin })).status).toBe(401);
  expect((await plain({ ...binary, ...page })).status).toBe(403);
  expect((await plain({ ...binary, ...page, origin: "http://127.0.0.1:1" })).status).toBe(403);
  expect((await post(target, "x", { "content-type": "text/plain" })).status).toBe(415);
  expect((await post(uploadTo("", "x", "other"), "x")).status).toBe(400);
  expect(existsSync(join(folder, "x"))).toBe(false);
  expect((await plain({ ...binary, ...page, origin })).status).toBe(200);
  expect(existsSync(join(folder, "x"))).toBe(true);
});

test("a body over the limit is refused before it is sent", async () => {
  const { folder, port, uploadTo } = await serveUploads();
  const headers = { ...owner, ...binary, "content-length": String(limits.uploadBytes + 1) };
  const sent = request({ port, host: "127.0.0.1", method: "POST", path: uploadTo("", "dir/big"), headers });
  sent.flushHeaders();
  const [answer] = await once(sent, "response");
  expect(
    JSON.parse(
      await answer
        .setEncoding("utf8")
        .toArray()
        .then((parts: string[]) => parts.join("")),
    ),
  ).toMatchObject({ error: { code: "too_large", facts: { maxBytes: limits.uploadBytes } } });
  sent.destroy();
  expect(readdirSync(folder)).toEqual([]);
});

test("a cut connection leaves neither the file nor its folders nor what was sent", async () => {
  const { folder, port, uploadTo, bugs, send } = await serveUploads({ "a.txt": "old" });
  const headers = { ...owner, ...binary, "content-length": "1000000" };
  for (const [name, conflict] of [
    ["new/deep/b.txt", "fail"],
    ["a.txt", "replace"],
  ] as const) {
    const path = uploadTo("", name, conflict);
    const sent = request({ port, host: "127.0.0.1", method: "POST", path, headers });
    sent.on("error", () => {});
    sent.write(Buffer.alloc(300_000));
    const parent = join(folder, name, "..");
    await eventually(() => expect(readdirSync(parent).filter((entry) => entry.endsWith(".tmp"))).toHaveLength(1));
    sent.destroy();
    await eventually(() => expect(readdirSync(folder)).toEqual(["a.txt"]));
  }
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("old");
  expect(await send("", "c.txt", "c")).toEqual({ path: "c.txt", replaced: null });
  expect(bugs).toEqual([]);
});

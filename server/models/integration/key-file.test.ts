/** The key of the environment's connection in a file, as Kubernetes mounts secrets. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeModelRig, type ModelRig } from "./test-model-rig";

/** A folder like a mounted secret: `key` is a link into a folder that is replaced as a whole. */
function mountSecret(text: string) {
  const folder = mkdtempSync(join(tmpdir(), "gopi-key-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let versions = 0;
  const write = (next: string): void => {
    versions += 1;
    mkdirSync(join(folder, `v${versions}`));
    writeFileSync(join(folder, `v${versions}`, "key"), next);
    symlinkSync(`v${versions}`, join(folder, "next"));
    renameSync(join(folder, "next"), join(folder, "data"));
  };
  write(text);
  return { path: join(folder, "data", "key"), write };
}

const rigWith = (keyFile: string, more: Readonly<Record<string, string>> = {}): Promise<ModelRig> =>
  makeModelRig(
    { models: ["m1"] },
    { environment: ({ url }) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY_FILE: keyFile, ...more }) },
  );
const listAt = ({ access }: ModelRig) => access.connections.models({ id: "environment" });
const sentKeyOf = ({ model }: ModelRig) => model.requests.at(-1)?.headers.authorization;

test("the key is read again when its file is replaced, and is redacted", async () => {
  const secret = mountSecret("sk-first-0123456789\n");
  const rig = await rigWith(secret.path);
  expect(rig.access.connections.sentKeys()).toEqual(["sk-first-0123456789"]);
  expect(await listAt(rig)).toMatchObject({ ok: true });
  expect(sentKeyOf(rig)).toBe("Bearer sk-first-0123456789");
  secret.write("sk-second-0123456789");
  expect(await listAt(rig)).toMatchObject({ ok: true });
  expect(sentKeyOf(rig)).toBe("Bearer sk-second-0123456789");
  expect(rig.access.connections.sentKeys()).toEqual(["sk-second-0123456789"]);
  expect(rig.access.connections.list()).toMatchObject([{ key: { from: "environment", name: "OPENAI_API_KEY_FILE" } }]);
});

test("the key itself in the environment takes precedence", async () => {
  const rig = await rigWith("/does/not/exist", { OPENAI_API_KEY: "sk-own-0123456789" });
  expect(await listAt(rig)).toMatchObject({ ok: true });
  expect(sentKeyOf(rig)).toBe("Bearer sk-own-0123456789");
});

test.each([
  ["a missing file", () => "/does/not/exist", "unreadable"],
  ["a folder", () => tmpdir(), "unreadable"],
  ["a large file", () => mountSecret("k".repeat(9_000)).path, "too_large"],
])("%s is refused before anything is sent", async (_name, place, keyFile) => {
  const path = place();
  const rig = await rigWith(path);
  expect(await listAt(rig)).toMatchObject({ ok: false, error: { code: "key_refused", facts: { keyFile, path } } });
  expect(rig.model.requests.filter(({ path: requested }) => requested.startsWith("/v1"))).toEqual([]);
});

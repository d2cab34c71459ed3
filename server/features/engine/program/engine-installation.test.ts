import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeEngineInstallation } from "./engine-installation";

const never = new AbortController().signal;

test("the builds for a driver are offered also after a pause and a removal", async () => {
  const root = mkdtempSync(join(tmpdir(), "gopi-offer-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "bin"));
  writeFileSync(join(root, "bin", "nvidia-smi"), "#!/bin/sh\necho 580.1\n", { mode: 0o755 });
  const { platform, arch } = process;
  const archives = [{ name: "a.tar.gz", bytes: 1, sha256: "0".repeat(64) }];
  const builds = ["cuda13", "cpu"].map((kind) => ({ platform, arch, kind, archives }));
  const catalogue = join(root, "catalogue.json");
  writeFileSync(catalogue, JSON.stringify({ tag: "b1", base: "http://127.0.0.1:1/", builds }));
  const installation = makeEngineInstallation({
    folder: join(root, "engine"),
    environment: { PATH: join(root, "bin"), GOPI_ENGINE_CATALOGUE: catalogue },
    mirror: () => "https://mirror.example/llama",
    onChange() {},
    installed: () => Promise.resolve(),
  });
  const offered = async (): Promise<readonly string[] | undefined> => {
    await installation.look(never);
    return installation.state(false).offer?.builds.map(({ kind }) => kind);
  };
  expect(await offered()).toEqual(["cuda13", "cpu"]);
  expect(installation.state(false).offer?.from).toBe("mirror.example");
  await installation.pause();
  expect(await offered()).toEqual(["cuda13", "cpu"]);
  expect(await installation.remove()).toMatchObject({ ok: true });
  expect(await offered()).toEqual(["cuda13", "cpu"]);
});

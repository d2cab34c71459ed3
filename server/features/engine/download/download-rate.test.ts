import { expect, onTestFinished, test } from "vitest";
import { serveEngineMirror } from "@/e2e/fixtures/engine-mirror";
import { hubFiles } from "@/e2e/fixtures/hub-files";
import { makeEngineRig } from "../test-engine-rig";

const reference = "hf:u/tiny-GGUF";

test("the rate of a download is known when it has ended", async () => {
  const mirror = await serveEngineMirror(hubFiles("u/tiny-GGUF", { "tiny-Q4_K_M.gguf": Buffer.alloc(300_000, "m") }));
  onTestFinished(() => mirror.close());
  const { engine } = await makeEngineRig("", { PATH: "/nowhere", HF_ENDPOINT: mirror.base });
  expect((await engine.state()).downloadRate).toBe(0);
  mirror.setHalt(1_000);
  await engine.download(reference);
  await expect.poll(async () => (await engine.state()).downloads[0]?.bytesPerSecond).toBeGreaterThan(0);
  const { downloadRate } = await engine.state();
  expect(downloadRate).toBeGreaterThan(0);
  expect(await engine.pauseDownload(reference)).toMatchObject({ ok: true });
  await engine.cancelDownload(reference);
  expect((await engine.state()).downloadRate).toBeGreaterThan(0);
});

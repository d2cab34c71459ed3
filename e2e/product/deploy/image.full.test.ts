// The image of `Dockerfile`: built over Debian, then started with a root for reading only and an empty volume.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ContainerImage, firstProcess, imageProblem, removeImages } from "../../fixtures/container-image";
import { longTestMs } from "../../fixtures/full-run";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { readServerJson } from "../../fixtures/server";
import { killProcess } from "@/lib/testing/test-process";
import { provideNode } from "../../../scripts/base/node-versions.mjs";

/** A container is killed when it has not ended by then. */
const stopMs = 2_000 * Number(process.env.GOPI_SLOWNESS ?? 1);

/** Bash ends before its child, which is in a session of its own: process 1 has to collect it. */
const leaveOrphan = { name: "bash", arguments: { command: "mkdir -p made && setsid sleep 0.2 & echo started" } };

test(
  "the image runs as its user and as any other, without a secret and without zombies",
  async ({ skip }) => {
    const problem = imageProblem();
    skip(problem !== null, problem ?? "");
    const folder = mkdtempSync(join(tmpdir(), "gopi-image-"));
    onTestFinished(() => removeImages(folder));
    const secret = `secret-${randomUUID()}`;
    const image = await ContainerImage.build(folder, secret);
    const model = await startScriptedModel();
    onTestFinished(() => model.close());

    expect(image.settings).toMatchObject({
      ...{ user: "1000", volumes: ["/home/gopi"], workingFolder: "/", stopSignal: "SIGTERM" },
      command: ["gopi-web", "serve", "--host", "0.0.0.0"],
    });
    expect(await image.contains(secret)).toBe(false);
    const node = await provideNode(22);
    const nodeBytes = "path" in node ? statSync(node.path).size : 0;
    expect((await image.size()) / nodeBytes).toBeLessThanOrEqual(3.5);

    for (const user of ["1000:1000", "28413:0"]) {
      model.reset({ turns: [{ toolCalls: [leaveOrphan] }, { text: "It answers." }] });
      const volume = join(folder, `home-${user.split(":", 1).join("")}`);
      makeVolume(volume);
      const container = image.start({ user, volume, environment: [`OLLAMA_HOST=${model.url}`] });
      onTestFinished(() => void container.kill("SIGKILL"));
      const ended = once(container, "close");
      let output = "";
      for (const stream of [container.stdout, container.stderr]) stream?.on("data", (part) => (output += String(part)));
      const isReady = (): boolean => output.includes("gopi-web serves /home/gopi/.gopi");
      await expect.poll(() => isReady() || container.exitCode !== null).toBe(true);
      expect([isReady(), output]).toEqual([true, expect.not.stringContaining("#token=")]);

      const { port } = readServerJson(join(volume, ".gopi"));
      await image.run(container, user, `JUPYTERHUB_SERVICE_URL=http://127.0.0.1:${port}/`, ...image.settings.health);
      await image.run(container, user, "mkdir", "/home/gopi/work");
      const prompt = ["gopi-web", "run", "--cwd", "/home/gopi/work", "--approve", "all", "Leave a process behind."];
      expect(await image.run(container, user, ...prompt)).toContain("It answers.");
      expect(statSync(join(volume, "work/made")).uid).toBe(Number.parseInt(user, 10));
      expect(await image.run(container, user, "gopi-web", "/home/gopi/work")).toContain("#token=");
      const listProcesses = () => image.run(container, user, "ps", "-eo", "stat=,args=");
      await expect.poll(listProcesses).not.toContain("sleep");
      expect(await listProcesses()).not.toMatch(/^Z/m);

      killProcess(firstProcess(container), "SIGTERM");
      const limit = setTimeout(() => container.kill("SIGKILL"), stopMs);
      expect(await ended).toEqual([0, null]);
      clearTimeout(limit);
    }
  },
  longTestMs,
);

/** As a volume gets it from the image: of the user 1000 and of group 0, which may write. */
function makeVolume(path: string): void {
  mkdirSync(path);
  chownSync(path, 1000, 0);
  chmodSync(path, 0o770);
}

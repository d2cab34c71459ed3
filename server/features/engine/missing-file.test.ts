/** A message to a model whose file was deleted. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tinyModelWith, sendPrompt } from "@/server/models/integration/test-tiny-session";
import { pathEntries } from "@/lib/view/view";
import { makeEngineRig } from "./test-engine-rig";

test.each([
  ["before the list is read again", false],
  ["after it was", true],
])("names the file, %s", async (_name, isRead) => {
  const { rig, engine, add, session } = await makeEngineRig("", { PATH: "/bin:/usr/bin" });
  const program = join(rig.home, "program");
  writeFileSync(program, '#!/bin/sh\n[ "$1" = --version ] && echo "version: 1 (abc)" && exit\nexit 1\n', {
    mode: 0o755,
  });
  rig.settings.current = { ...rig.settings.current, engineProgram: program };
  await add("tiny", tinyModelWith("Hello."));
  const talk = await session("tiny");
  const file = join(rig.home, "tiny.gguf");
  rmSync(file);
  if (isRead) await engine.state();
  await sendPrompt(talk, "Hi.");
  const errors = pathEntries(talk.view).flatMap((entry) => (entry.kind === "error" ? [entry.error] : []));
  expect(errors).toMatchObject([{ code: "model_missing", facts: { model: "tiny", file } }]);
});

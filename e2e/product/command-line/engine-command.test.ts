// Commands with a model of the built-in engine, in a home where nothing else is set up.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findLlamaServer } from "../../fixtures/find-llama-server";
import { endBackgroundServer, expect, test } from "../../fixtures/product-test";
import { ProductCommand, type ProductEnvironment } from "../../fixtures/server";
import { writeTinyModel } from "../../fixtures/tiny-model.mjs";

const found = await findLlamaServer();

/** The model as the list of the engine has it; the machine has no other model server. */
function addModel(place: ProductEnvironment, context: number): ProductEnvironment {
  const { root, home, project, environment } = place;
  const file = join(root, "tiny.gguf");
  const call = '<tool_call>\n{"name": "read", "arguments": {"path": "note.txt"}}\n</tool_call>';
  writeTinyModel(file, { context, answers: [{ text: `I look.\n${call}` }, { text: "It was read." }] });
  mkdirSync(join(home, "engine"), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, "engine", "models.json"), JSON.stringify({ models: [{ name: "tiny", file }] }));
  writeFileSync(join(project, "note.txt"), "lantern\n");
  return { ...place, environment: { ...environment, GOPI_LLAMA_SERVER: found.program ?? "" } };
}

test.beforeEach(({ skip }) => skip(found.program === null, found.why));
test.afterEach(({ place }) => endBackgroundServer(place));

test("the doctor tests the engine's model by its name, and without one the model of new sessions", async ({
  model,
  place,
}) => {
  await model.close();
  const own = addModel(place, 4_096);
  const { code, stdout, stderr } = await new ProductCommand(own, ["doctor"]).done();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^Testing tiny on this machine\./);
  expect(stdout).toMatch(/^tiny is good as a helper: .* Window 4096 tokens\./m);
  // The same model by other names.
  for (const name of ["engine/tiny", "engine"]) {
    const named = new ProductCommand(own, ["doctor", name]);
    await named.until((written) => written.stdout.includes("\n"));
    named.child.kill("SIGINT");
    expect(await named.done()).toMatchObject({
      code: 130,
      stdout: expect.stringMatching(/^Testing tiny on /),
      stderr: "",
    });
  }
});

test("a run uses the engine's model by its name, and without one names where it is", async ({ model, place }) => {
  await model.close();
  const own = addModel(place, 16_384);
  for (const named of [["--model", "engine/tiny"], []]) {
    const run = ["run", "--cwd", own.project, "--approve", "all", ...named, "Read the note."];
    const { code, stdout, stderr } = await new ProductCommand(own, run).done();
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringContaining("It was read.") });
    expect(stderr.includes("· tiny in the built-in engine")).toBe(named.length === 0);
  }
});

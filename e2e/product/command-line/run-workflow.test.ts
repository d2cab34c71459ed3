// `gopi-web run --workflow`: its steps on stderr, the answers on stdout, the exit codes of a run.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endBackgroundServer, expect, test } from "../../fixtures/product-test";
import { ProductCommand } from "../../fixtures/server";

test.afterEach(({ place }) => endBackgroundServer(place));

const workflow = `inputs: { word: {} }
steps:
  - id: list
    run: ls
  - id: say
    prompt: "Say \${{ inputs.word }} about \${{ trim(steps.list.output) }}"
`;

test("runs the steps of a workflow of the home folder", async ({ model, place }) => {
  mkdirSync(join(place.home, "workflows"), { recursive: true });
  writeFileSync(join(place.home, "workflows/say.yaml"), workflow);
  writeFileSync(join(place.home, "workflows/ask.yaml"), "steps: [{ ask: Sure? }]\n");
  writeFileSync(join(place.home, "workflows/fail.yaml"), "steps: [{ tool: read, with: { path: none } }]\n");
  model.setScript({ turns: [{ text: "Hello." }] });
  const done = await new ProductCommand(place, ["run", "--workflow", "say", "--input", "word=hello"]).done();
  expect(done).toEqual({
    code: 0,
    stdout: "Hello.\n",
    stderr: expect.stringMatching(/^· step list: ls\n· ran ls · exit 0\n· step say: Say hello about \S+\n$/),
  });
  const missing = await new ProductCommand(place, ["run", "--workflow", "say"]).done();
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("the input word is missing") });
  const unknown = await new ProductCommand(place, ["run", "--workflow", "none"]).done();
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("there is no workflow none; there are ask, fail, say"),
  });
  expect(await new ProductCommand(place, ["run", "--workflow", "fail"]).done()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("· step step_1 failed: "),
  });
  // No user can answer: it does not wait.
  const waiting = await new ProductCommand(place, ["run", "--workflow", "ask"]).done();
  expect(waiting).toMatchObject({ code: 4, stderr: expect.stringContaining("Sure? Answer in the browser.") });
});

test("prints why a workflow failed, and the next step", async ({ place }) => {
  mkdirSync(join(place.home, "workflows"), { recursive: true });
  const put = (name: string, text: string) => writeFileSync(join(place.home, `workflows/${name}.yaml`), text);
  put("wrong", "steps:\n  - { rum: ls }\n");
  put("touches", "steps: [{ run: touch made }]\n");
  put("many", "inputs: { list: {} }\nsteps: [{ run: ls, for_each: inputs.list }]\n");
  const value = "Use `npm test`, $(id)";
  put("value", 'inputs: { x: {} }\nsteps: [{ run: "printf %s \\"$X\\"", env: { X: "\${{ inputs.x }}" } }]\n');
  const run = (...more: string[]) => new ProductCommand(place, ["run", "--workflow", ...more]).done();
  expect(await run("wrong")).toMatchObject({ code: 1, stderr: expect.stringContaining("the step does nothing") });
  const denied = await run("touches");
  expect(denied).toMatchObject({ code: 4, stderr: expect.stringContaining("it needs your approval") });
  expect(await run("many", "--input", `list=${"a\n".repeat(51)}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("for_each has more than 50 items"),
  });
  expect(await run("value", "--approve", "all", "--input", `x=${value}`)).toMatchObject({ code: 0 });
});

// `gopi-web eval`: models are compared by coding tasks from the terminal.
import type { EvalResult } from "@/lib/evals/evals";
import { evalScript, evalSolution } from "../../fixtures/eval-script";
import { endBackgroundServer, expect, test } from "../../fixtures/product-test";
import { ProductCommand } from "../../fixtures/server";

test("gopi-web eval prints results and a table, and --json one result per line", async ({ place, model }) => {
  model.setScript({ ...evalScript, turns: [...evalSolution, { text: "I changed nothing." }] });
  const run = (...words: string[]) => new ProductCommand(place, ["eval", "--task", "off-by-one", ...words]).done();
  const { code, stdout, stderr } = await run("m:8b", "n:8b");
  // Without a working sandbox the first line says so.
  const notes = stderr.replace(/^gopi-web: the sandbox does not work here: .*\n/, "");
  expect({ code, notes }).toEqual({ code: 0, notes: "" });
  expect(stdout).toMatch(
    /^m:8b:\n {2}off-by-one +solved {2}.*\nn:8b:\n {2}off-by-one +failed .*\(its check failed\)$/m,
  );
  expect(stdout).toMatch(/^m:8b +1\/1 +3 /m);
  model.setScript({ ...evalScript, turns: evalSolution });
  const lines = (await run("--json")).stdout.trim().split("\n");
  expect(lines.map((line): EvalResult => JSON.parse(line))).toMatchObject([{ task: "off-by-one", steps: 3 }]);
  // Without a working sandbox a line about it is printed first.
  const isMissing = /^(?:gopi-web: the sandbox does not work here: .+\n)?gopi-web: this model isn't installed\n$/;
  expect(await run("none:1b")).toMatchObject({ code: 1, stderr: expect.stringMatching(isMissing) });
  const unknown = await new ProductCommand(place, ["eval", "--task", "none"]).done();
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("there is no task none; the tasks are") });
  await endBackgroundServer(place);
});

// `gopi-web config`: settings are shown and changed, as on the settings page.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callCommand } from "../../fixtures/call-command";
import { endBackgroundServer, expect, test } from "../../fixtures/product-test";
import { ProductCommand } from "../../fixtures/server";

test("a value that is set is in force, in config.yaml and shown; one of the wrong form is refused, exit 2", async ({
  place,
  server,
}) => {
  const config = (...words: readonly string[]) => new ProductCommand(place, ["config", ...words]).done();
  expect(await config("set", "tools.bash_timeout", "2m")).toEqual({ code: 0, stdout: "120s\n", stderr: "" });
  expect((await callCommand(server, "settings.read", {})).bashTimeoutSeconds).toBe(120);
  expect(readFileSync(join(place.home, "config.yaml"), "utf8")).toContain("bash_timeout: 120s");
  expect(await config("get", "tools.bash_timeout")).toEqual({ code: 0, stdout: "120s\n", stderr: "" });
  expect(JSON.parse((await config("get", "tools.bash_timeout", "--json")).stdout)).toEqual({
    key: "tools.bash_timeout",
    value: "120s",
    default: "30s",
  });
  expect(await config("set", "tools.bash_timeout", "soon")).toEqual({
    code: 2,
    stdout: "",
    stderr: "gopi-web: tools.bash_timeout must be a time such as 90s or 2m, from 1 to 600 seconds\n",
  });
  expect(await config("set", "tols.bash_timeout", "1m")).toMatchObject({
    code: 2,
    stderr: "gopi-web: tols.bash_timeout is not a setting; did you mean tools.bash_timeout?\n",
  });
  const { stdout } = await config();
  expect(stdout).toMatch(/^key +default +value\n/);
  expect(stdout).toMatch(/^tools\.bash_timeout +30s +120s$/m);
  expect(stdout).toMatch(/^agent\.max_steps +50$/m);
});

test("the password in the address of a model server is never printed", async ({ place, server }) => {
  const ollamaHost = "http://me:hunter2@127.0.0.1:1";
  await callCommand(server, "settings.write", { patch: { ollamaHost } });
  const shown = [["config"], ["config", "--json"], ["config", "get", "ollama.host"]].map((words) =>
    new ProductCommand(place, words).done(),
  );
  const text = (await Promise.all(shown)).map(({ stdout }) => stdout).join("");
  expect(text).not.toContain("hunter2");
  expect(text).toContain("http://•••@127.0.0.1:1\n");
});

test("without a server one is started; a faulty config.yaml is not overwritten, exit 1", async ({ place }) => {
  const config = (...words: readonly string[]) => new ProductCommand(place, ["config", ...words]).done();
  expect(await config("get", "agent.mode")).toEqual({ code: 0, stdout: "ask\n", stderr: "" });
  const path = join(place.home, "config.yaml");
  writeFileSync(path, "agent: [\n");
  expect(await config("set", "agent.mode", "edits")).toEqual({
    code: 1,
    stdout: "",
    stderr: "gopi-web: config.yaml is faulty, so that nothing can be written into it; gopi-web status names the line\n",
  });
  expect(readFileSync(path, "utf8")).toBe("agent: [\n");
  await endBackgroundServer(place);
});

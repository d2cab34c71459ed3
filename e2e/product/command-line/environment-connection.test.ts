// `gopi-web run` with a model server that only the environment names.
import { doctorScript, doneTurn } from "../../fixtures/doctor-script";
import { readHomeFiles } from "../../fixtures/home-files";
import { endBackgroundServer, expect, test } from "../../fixtures/product-test";
import { ProductCommand } from "../../fixtures/server";

const apiKey = "sk-e2e-0123456789abcdefghijklmnop";

test("OPENAI_BASE_URL alone is enough: its first model answers, and is named", async ({ place, model }) => {
  model.setScript({ models: ["first", "second"], key: apiKey, context: 32_768, turns: [{ text: "Ready." }] });
  const own = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: apiKey, OLLAMA_HOST: "http://127.0.0.1:1" };
  expect(await new ProductCommand(place, ["run", "hi"], { environment: own }).done()).toEqual({
    code: 0,
    stdout: "Ready.\n",
    stderr: `· first at ${model.url}/v1\n`,
  });
  await endBackgroundServer(place);
});

test("the environment's connection answers a run that names it, and its key is not written anywhere", async ({
  place,
  model,
}) => {
  model.setScript({ models: ["scripted:latest"], key: apiKey, context: 32_768, turns: [{ text: "Ready." }] });
  const environment = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: apiKey };
  const run = (name: string) => new ProductCommand(place, ["run", "hi", "--model", name], { environment }).done();
  expect(await run("environment/scripted:latest")).toEqual({ code: 0, stdout: "Ready.\n", stderr: "" });
  expect(await run("nowhere/scripted:latest")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("isn't installed"),
  });
  const [chatRequest, ...more] = model.requests.filter(
    ({ path }) => path.endsWith("/chat") || path.endsWith("/completions"),
  );
  expect(chatRequest).toMatchObject({ path: "/v1/chat/completions", headers: { authorization: `Bearer ${apiKey}` } });
  expect(more).toEqual([]);
  await endBackgroundServer(place);
  expect(readHomeFiles(place.home).join("\n")).not.toContain(apiKey);
});

test("the doctor tests the first model of a chosen connection that names none", async ({ place, model }) => {
  model.setScript({ ...doctorScript([doneTurn]), models: ["first", "second"] });
  const environment = { OPENAI_BASE_URL: `${model.url}/v1`, OLLAMA_HOST: "http://127.0.0.1:1" };
  const run = (...args: readonly string[]) => new ProductCommand(place, [...args], { environment }).done();
  expect(await run("config", "set", "agent.connection", "environment")).toMatchObject({ code: 0 });
  expect((await run("doctor")).stdout).toContain("Testing first");
  await endBackgroundServer(place);
});

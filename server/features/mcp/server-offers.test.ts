/** Prompts and resources of a real server: their stored lists, and their texts. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { makeMcpRig, succeed } from "./test-feature";
import { npmServer } from "./test-mcp";
import { toOfferText } from "./server-offers";

test("prompts and resources are listed from the test; one that is chosen starts the server", async () => {
  const rig = await makeMcpRig();
  const { projectId, commands } = rig;
  const { command, arguments: args } = npmServer("everything");
  writeFileSync(rig.file, JSON.stringify({ mcpServers: { everything: { command, args } } }));
  const only = async () => (await rig.state()).servers[0];
  const offers = async () => succeed(await commands["mcp.offers"]({ projectId }));
  expect(await offers()).toEqual({ prompts: [], resources: [] });
  const launch = (await only())?.launchHash;
  if (launch === undefined) throw new Error("no server");
  const prompt = (name: string, input: { readonly [name: string]: string }) =>
    commands["mcp.prompt"]({ projectId, server: "everything", prompt: name, input });
  expect(await prompt("simple-prompt", {})).toMatchObject({ ok: false, error: { code: "not_found" } });
  succeed(await commands["mcp.approve"]({ projectId, server: "everything", launch }));
  await eventually(async () => expect((await only())?.status).toBe("idle"));

  const { prompts, resources } = await offers();
  expect(prompts.map(({ name }) => name)).toEqual(expect.arrayContaining(["simple-prompt", "args-prompt"]));
  expect(prompts.find(({ name }) => name === "args-prompt")).toMatchObject({
    server: "everything",
    arguments: expect.arrayContaining([expect.objectContaining({ name: "city", required: true })]),
  });
  const [resource] = resources;
  if (resource === undefined) throw new Error("no resource");
  expect((await only())?.status).toBe("idle");
  expect(existsSync(join(rig.harness.home, "mcp-offers.json"))).toBe(true);

  expect(succeed(await prompt("args-prompt", { city: "Basel" })).text).toContain("Basel");
  expect((await only())?.status).toBe("running");
  expect(await prompt("no-such-prompt", {})).toMatchObject({ ok: false, error: { code: "tool_failed" } });
  const read = succeed<unknown>(await commands["mcp.resource"]({ projectId, server: "everything", uri: resource.uri }));
  expect(read).toEqual({ text: expect.stringMatching(/.{10}/) });
  succeed(await commands["mcp.remove"]({ projectId, server: "everything" }));
  expect(readFileSync(join(rig.harness.home, "mcp-offers.json"), "utf8")).toBe("[]\n");
});

test("the lists are read again at each start and when they change; a list that fails stays as it was", async () => {
  const rig = await makeMcpRig();
  const { projectId, commands } = rig;
  const offers = async () => {
    const { prompts, resources } = succeed(await commands["mcp.offers"]({ projectId }));
    return [prompts.map(({ name }) => name), resources.map(({ uri }) => uri)];
  };
  const run = () => commands["mcp.prompt"]({ projectId, server: "my_server", prompt: "none", input: {} });
  writeFileSync(rig.file, rig.config());
  rig.prompt(["one"]);
  await rig.approve();
  expect(await offers()).toEqual([["one"], ["list://one", "list://dot"]]);
  // Nothing is started by a change.
  rig.prompt(["two"]);
  expect(await offers()).toEqual([["one"], ["list://one", "list://dot"]]);
  expect((await rig.only()).status).toBe("idle");
  await run();
  await eventually(async () => expect(await offers()).toEqual([["two"], ["list://one", "list://dot"]]));
  rig.pushes.length = 0;
  rig.prompt(["two", "three"]);
  await eventually(async () =>
    expect(await offers()).toEqual([
      ["two", "three"],
      ["list://one", "list://dot"],
    ]),
  );
  expect(rig.pushes).toContain("mcp");
  succeed(await commands["mcp.stop"]({ projectId, server: "my_server" }));
  rig.prompt(null);
  await run();
  expect(await offers()).toEqual([
    ["two", "three"],
    ["list://one", "list://dot"],
  ]);
});

test("a text is without what is not seen; what is no text is named, and alone is none", () => {
  const image = { type: "image", data: "aGk=", mime: "image/png" } as const;
  const text = { type: "text", text: "a\u001b[31m\tb\u200bc" } as const;
  expect(toOfferText([text, image])).toEqual({ ok: true, value: "a\tbc\n\n[image left out: image/png]" });
  expect(toOfferText([image])).toMatchObject({ ok: false, error: { code: "binary" } });
  expect(toOfferText([])).toMatchObject({ ok: false, error: { code: "gone" } });
});

describe("a resource", () => {
  const image = { ok: true, value: { images: [{ mime: "image/png", blob: expect.any(String) }] } };
  test.each([
    ["that is an image is stored", "dot", image],
    ["that is a drawing is refused", "drawing", { ok: false, error: { code: "bad_image" } }],
    ["that is a large image is refused", "photo", { ok: false, error: { code: "too_large" } }],
    ["that is text with an image is text", "both", { value: { text: "a dot\n\n[blob left out: image/png]" } }],
    ["that is a file is refused", "paper", { ok: false, error: { code: "binary" } }],
  ])("%s", async (_name, resource, expected) => {
    const rig = await makeMcpRig();
    writeFileSync(rig.file, rig.config());
    await rig.approve();
    const { projectId, commands, harness } = rig;
    const read = await commands["mcp.resource"]({ projectId, server: "my_server", uri: `list://${resource}` });
    expect(read).toMatchObject(expected);
    if (!read.ok || !("images" in read.value)) return;
    const [stored] = read.value.images;
    expect(stored === undefined ? 0 : harness.store.blobs.get(stored.blob)?.length).toBe(70);
  });
});

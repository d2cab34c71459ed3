// @vitest-environment happy-dom
import { act, cleanup, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { EngineState, SuggestedModel } from "@/lib/models/engine";
import { connectClient, renderForUser } from "../frame/test-dom";
import { RunHereRow } from "./run-here-row";

const reference = "hf:u/tiny:Q4_K_M";
const state: EngineState = {
  program: null,
  offer: { tag: "b1", from: "github.example", builds: [{ kind: "cpu", bytes: 17_000_000 }] },
  models: [],
  suggestions: [],
  downloads: [{ reference, name: "tiny", status: "paused", completed: 1_000, bytes: 2_000 }],
  hub: "hub.example",
  memory: { ram: 16e9, graphics: 0, isShared: false },
  threads: 8,
  downloadRate: 0,
  run: { status: "stopped" },
};
const suggestion: SuggestedModel = {
  name: "Tiny 1B",
  reference,
  bytes: 2_000,
  memoryBytes: 4_000,
  license: "MIT",
  activeParameters: 1e9,
  contextLength: 32_768,
  capabilities: ["tools"],
  fit: "fits",
};
const offered: EngineState = { ...state, suggestions: [suggestion], downloads: [] };

test("after a pause the card continues the download of the engine as well as that of the model", async () => {
  const { client, inputsOf } = await connectClient((name) =>
    name === "engine.state" ? { ok: true, value: state } : undefined,
  );
  const user = await renderForUser(client, <RunHereRow isMain />);
  const card = within(await screen.findByRole("region", { name: "Run a model here" }));
  await user.click(card.getByRole("button", { name: "Download (17\u00a0MB)" }));
  await expect.poll(() => inputsOf("engine.install")).toEqual([{ build: "cpu" }]);
  expect(card.getByRole("button", { name: "Resume: tiny" })).toBeDefined();
});

test("a paused download of the engine is continued or cancelled in the card", async () => {
  const builds = [{ kind: "cpu", bytes: 17_000_000, received: 3_000_000 }];
  const paused = { ...state, offer: { tag: "b1", from: "github.example", builds } };
  const { client, inputsOf } = await connectClient((name) =>
    name === "engine.state" ? { ok: true, value: paused } : undefined,
  );
  const user = await renderForUser(client, <RunHereRow isMain />);
  const card = within(await screen.findByRole("region", { name: "Run a model here" }));
  expect(card.getByText(/^Paused at 3\sMB of 17\sMB$/)).toBeDefined();
  await user.click(card.getByRole("button", { name: "Resume: llama.cpp" }));
  await expect.poll(() => inputsOf("engine.install")).toEqual([{ build: "cpu" }]);
  await user.click(card.getByRole("button", { name: "Cancel: llama.cpp" }));
  await expect.poll(() => inputsOf("engine.cancelInstall")).toEqual([{}]);
});

test("a refused download is explained in the card, with the setting of a mirror as the next step", async () => {
  const error = { code: "download_failed", facts: { host: "hub.example" } };
  let { hub } = offered;
  const { client, inputsOf } = await connectClient((name) => {
    if (name === "engine.state") return { ok: true, value: { ...offered, hub } };
    return name === "engine.download" ? { ok: false, error } : undefined;
  });
  const user = await renderForUser(client, <RunHereRow isMain />);
  const card = within(await screen.findByRole("region", { name: "Run a model here" }));
  await user.click(card.getByRole("button", { name: "Download and run" }));
  expect((await card.findByRole("alert")).textContent).toMatch(/^The connection to hub\.example failed\./);
  expect(card.getByRole("link", { name: "Use a mirror" }).getAttribute("href")).toBe(
    "/settings/model#engine.model_hub",
  );
  expect(inputsOf("engine.install")).toEqual([]);
  // Another width of the window renders the card again.
  cleanup();
  await renderForUser(client, <RunHereRow isMain />);
  expect((await screen.findByRole("alert")).textContent).toMatch(/^The connection to hub\.example failed\./);
  // It was the refusal of that host.
  hub = "mirror.example";
  await act(() => client.cache.invalidateQueries({ queryKey: ["engine.state"] }));
  await screen.findByText(/mirror\.example/);
  expect(screen.queryByRole("alert")).toBeNull();
});

test.each([
  [
    "two hosts are named",
    "hub.example",
    /^Downloads llama\.cpp \(17\sMB\) from github\.example and Tiny 1B \(2\skB\) from hub\.example\.$/,
  ],
  [
    "one host is named once",
    "github.example",
    /^Downloads llama\.cpp \(17\sMB\) and Tiny 1B \(2\skB\) from github\.example\.$/,
  ],
])("of what the button fetches, %s", async (_name, hub, sentence) => {
  const { client } = await connectClient((name) =>
    name === "engine.state" ? { ok: true, value: { ...offered, hub } } : undefined,
  );
  await renderForUser(client, <RunHereRow isMain />);
  expect(await screen.findByText(sentence)).toBeDefined();
});

test("the card has the focus after its button has started the downloads", async () => {
  const { client } = await connectClient((name) => {
    if (name === "engine.state") return { ok: true, value: offered };
    return name === "engine.download" ? { ok: true, value: state } : undefined;
  });
  const user = await renderForUser(client, <RunHereRow isMain />);
  const card = await screen.findByRole("region", { name: "Run a model here" });
  within(card).getByRole("button", { name: "Download and run" }).focus();
  await user.keyboard("{Enter}");
  await within(card).findByRole("button", { name: "Resume: tiny" });
  expect(document.activeElement).toBe(card);
});

test("the part of the engine that has arrived is shown without a download of a model", async () => {
  const builds = [{ kind: "cpu", bytes: 17_000_000, received: 3_000_000 }];
  const partly = { ...offered, offer: { tag: "b1", from: "github.example", builds } };
  const { client } = await connectClient((name) => (name === "engine.state" ? { ok: true, value: partly } : undefined));
  await renderForUser(client, <RunHereRow isMain />);
  const card = within(await screen.findByRole("region", { name: "Run a model here" }));
  expect(card.getByText(/^Paused at 3\sMB of 17\sMB$/)).toBeDefined();
  expect(card.getByRole("button", { name: "Resume: llama.cpp" })).toBeDefined();
  expect(card.getByRole("button", { name: "Cancel: llama.cpp" })).toBeDefined();
});

test("a file that is broken on the server is not tried again, but deleted", async () => {
  const error = { code: "model_file_broken" };
  const broken = { ...state.downloads[0], status: "failed", completed: 2_000, error };
  const { client, inputsOf } = await connectClient((name) =>
    name === "engine.state" ? { ok: true, value: { ...state, downloads: [broken] } } : undefined,
  );
  const user = await renderForUser(client, <RunHereRow isMain />);
  const card = within(await screen.findByRole("region", { name: "Run a model here" }));
  expect(card.getByRole("alert").textContent).toMatch(/^The file on the server is damaged or isn't a model: /);
  expect(card.queryByRole("button", { name: /^Try again/ })).toBeNull();
  await user.click(card.getByRole("button", { name: "Delete file: tiny" }));
  await expect.poll(() => inputsOf("engine.cancelDownload")).toEqual([{ model: reference }]);
});

test("without a suggestion that fits, the card gives the reason and the way to another model", async () => {
  const suggestions = [{ ...suggestion, fit: "too_large" }];
  const { client } = await connectClient((name) =>
    name === "engine.state" ? { ok: true, value: { ...state, suggestions, downloads: [] } } : undefined,
  );
  await renderForUser(client, <RunHereRow isMain />);
  const card = within(await screen.findByRole("region", { name: "Run a model here" }));
  expect(card.getByText(/^None of the suggested models fits into this machine's 16\sGB of memory\./)).toBeDefined();
  expect(card.getByRole("link").getAttribute("href")).toBe("/settings/model");
});

test("a model that is on this machine already is used with a download of llama.cpp alone", async () => {
  const models = [
    { name: "small:1b", file: "/small", from: "ollama", size: 1_000, memoryBytes: 4_000, fit: "fits" },
    { name: "tiny:1b", file: "/tiny", from: "ollama", size: 2_000, memoryBytes: 4_000, fit: "fits" },
    { name: "huge:70b", file: "/huge", from: "ollama", size: 9_000, memoryBytes: 9e12, fit: "too_large" },
  ];
  const { client, inputsOf } = await connectClient((name) => {
    if (name === "engine.find") return { ok: true, value: { models } };
    return name === "engine.state" || name === "engine.add" ? { ok: true, value: offered } : undefined;
  });
  const user = await renderForUser(client, <RunHereRow isMain />);
  const card = within(await screen.findByRole("region", { name: "Run a model here" }));
  const button = await card.findByRole("button", { name: "Use tiny:1b" });
  const facts = /^Already on this machine \(2\skB\), downloaded by Ollama\. Downloads only llama\.cpp \(17\sMB\)/;
  expect(card.getByText(facts)).toBeDefined();
  await user.click(button);
  await expect.poll(() => inputsOf("engine.install")).toEqual([{ build: "cpu" }]);
  expect(inputsOf("engine.add")).toEqual([{ file: "/tiny", name: "tiny:1b" }]);
  expect(inputsOf("engine.download")).toEqual([]);
});

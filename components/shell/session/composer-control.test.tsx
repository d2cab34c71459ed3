// @vitest-environment happy-dom
import { waitFor } from "@testing-library/react";
import { useRef } from "react";
import { expect, test, vi } from "vitest";
import type { Connection, ModelInfo } from "@/lib/models/models";
import { testModelMenu } from "../../chat/composer/test-composer-props";
import type { ModelMenuProps } from "../../chat/model/model-menu";
import { en } from "../../messages/en";
import { renderForUser } from "../frame/test-dom";
import { testClient } from "../frame/test-render";
import { useComposerControl } from "./composer-control";

const chatModel = (name: string): ModelInfo => ({ name, capabilities: [], cloud: false });
const lab: Connection = {
  id: "lab",
  name: "Lab",
  preset: "custom",
  baseUrl: "http://lab:8000",
  model: "",
  numCtx: 0,
  key: { from: "none" },
  local: true,
};

function Control({ modelMenu }: { readonly modelMenu: ModelMenuProps }) {
  useComposerControl({
    composer: useRef(null),
    modelMenu,
    setMode: () => undefined,
    send: () => undefined,
    session: null,
    pins: null,
  });
  return null;
}

async function showControl(isLocked = false) {
  const client = testClient();
  const onModel = vi.fn<ModelMenuProps["onModel"]>();
  const modelMenu: ModelMenuProps = {
    ...testModelMenu,
    models: [chatModel("qwen3:8b")],
    connections: [lab],
    loadModels: () => Promise.resolve([chatModel("big-model")]),
    onModel,
    isLocked,
  };
  await renderForUser(client, <Control modelMenu={modelMenu} />);
  return { client, onModel, toasts: () => client.toasts.get().map(({ text }) => text) };
}

test.each([
  ["qwen3:8b", "qwen3:8b", null],
  ["big-model", "big-model", "lab"],
])("the model %j is found on its server", async (typed, name, connection) => {
  const { client, onModel } = await showControl();
  client.handles.composer?.setModel(typed);
  await waitFor(() => expect(onModel.mock.calls).toEqual([[name, connection]]));
});

test("a name that no model has is reported", async () => {
  const { client, onModel, toasts } = await showControl();
  client.handles.composer?.setModel("qwen9");
  await waitFor(() => expect(toasts()).toEqual([en.composer.slash.unknownModel("qwen9")]));
  expect(onModel).not.toHaveBeenCalled();
});

test("during a run the model stays, and a sentence says why", async () => {
  const { client, onModel, toasts } = await showControl(true);
  client.handles.composer?.setModel("qwen3:8b");
  expect(toasts()).toEqual([en.models.lockedNote]);
  expect(onModel).not.toHaveBeenCalled();
});

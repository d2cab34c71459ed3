// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ConfigImport } from "@/lib/settings/foreign-config";
import * as enLate from "../../messages/en-late";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { ImportSetting } from "./import-setting";

const text = enLate.config.import;
const found: ConfigImport = {
  formats: ["golem"],
  settings: { maxSteps: 20 },
  connections: [],
  models: [],
  ignored: [],
};

test("a configuration that another tool left on this machine is offered, previewed and imported", async () => {
  const path = "~/.golem/config.json";
  const { client, inputsOf } = await connectClient((name) => {
    if (name === "config.find_imports") return { ok: true, value: { files: [{ file: "golem", path }] } };
    return name.startsWith("config.import") ? { ok: true, value: found } : undefined;
  });
  const user = await renderForUser(client, <ImportSetting />);
  await user.click(await screen.findByRole("button", { name: text.lookAt(path) }));
  expect((await screen.findByRole("row", { name: /agent\.max_steps/ })).textContent).toContain("20");
  expect(inputsOf("config.import")).toEqual([]);
  // The second click of a double click would add the connections again.
  await user.dblClick(screen.getByRole("button", { name: text.take }));
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe(text.done));
  expect(inputsOf("config.import")).toEqual([{ file: "golem" }]);
});

// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { settingsDefaults } from "@/lib/settings/settings";
import { en } from "../../messages/en";
import * as enLate from "../../messages/en-late";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { ShortcutsTab } from "./shortcuts-tab";

const text = enLate.shortcutSettings;
const editorKeys = [
  { keys: "mod+d", command: "nextOccurrence" },
  { keys: "mod+b", command: "cursor" },
] as const;

/** Opens the tab and records keys for Toggle files. */
async function record(keys: string) {
  const server = await connectClient((name) =>
    name === "settings.write" ? { ok: true, value: settingsDefaults } : undefined,
  );
  const user = await renderForUser(
    server.client,
    <ShortcutsTab projects={[]} loadEditorKeys={async () => editorKeys} />,
  );
  const row = screen.getByRole("button", { name: new RegExp(`^${text.change(en.actions.names.sidebar, "")}`) });
  await user.click(row);
  await user.keyboard(keys);
  return { user, writes: () => server.inputsOf("settings.write") };
}

test("keys of the editor are refused with the name of its command, and can be used anyway", async () => {
  const { user, writes } = await record("{Control>}d{/Control}");
  expect(screen.getByText(text.usedInEditor("Ctrl+D", text.editorCommands.nextOccurrence))).toBeDefined();
  expect(writes()).toEqual([]);
  await user.click(screen.getByRole("button", { name: text.useAnyway }));
  await waitFor(() => expect(writes()).toEqual([{ patch: { shortcuts: ["sidebar mod+d"] } }]));
});

test("the keys of the preset are no conflict with the editor", async () => {
  const { writes } = await record("{Control>}b{/Control}");
  await waitFor(() => expect(writes()).toEqual([{ patch: { shortcuts: [] } }]));
});

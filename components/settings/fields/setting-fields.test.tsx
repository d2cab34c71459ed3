// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect, onTestFinished, test, vi } from "vitest";
import { type SettingName, type Settings, settingsDefaults } from "@/lib/settings/settings";
import * as enLate from "../../messages/en-late";
import { connectClient, renderForUser, type ConnectedClient } from "../../shell/frame/test-dom";
import { testClient } from "../../shell/frame/test-render";
import { ListSetting } from "./list-setting";
import { Setting } from "./setting";

const stored: Settings = settingsDefaults;
const range = enLate.config.range("1", "500");

interface SettingsScreen {
  readonly server: ConnectedClient;
  readonly user: UserEvent;
  readonly field: HTMLInputElement;
  readonly leave: () => Promise<void>;
  readonly writes: () => readonly unknown[];
}

/** Shows the field of the step limit; the server stores what is written unless `refusal` is given. */
async function showSteps(refusal?: object): Promise<SettingsScreen> {
  const server = await connectClient((name, input) => {
    if (name !== "settings.write") return undefined;
    if (refusal !== undefined) return { ok: false, error: refusal };
    const patch = typeof input === "object" && input !== null && "patch" in input ? input.patch : {};
    return { ok: true, value: Object.assign({}, stored, patch) };
  });
  const user = await renderForUser(
    server.client,
    <>
      <Setting name="maxSteps" />
      <button type="button">Elsewhere</button>
    </>,
  );
  return {
    server,
    user,
    field: screen.getByRole("textbox", { name: enLate.agentSections.agent.fields.maxSteps.label }),
    leave: () => user.click(screen.getByRole("button", { name: "Elsewhere" })),
    writes: () => server.inputsOf("settings.write"),
  };
}

/** Shows a list; no change of it is answered. */
async function showList(
  name: SettingName,
  values: readonly string[],
): Promise<Pick<SettingsScreen, "server" | "user">> {
  const server = await connectClient((command) => (command === "settings.write" ? new Promise(() => {}) : undefined));
  const user = await renderForUser(server.client, <Setting name={name} />);
  server.push({ type: "settings", settings: { ...stored, [name]: values } });
  await screen.findAllByText(values[0] ?? "");
  return { server, user };
}

const replaceText = async (user: UserEvent, field: HTMLElement, text: string): Promise<void> => {
  await user.clear(field);
  await user.type(field, text);
};

test("a valid number is saved when the field loses the focus", async () => {
  const { user, field, leave, writes } = await showSteps();
  expect(field.value).toBe(String(stored.maxSteps));
  await replaceText(user, field, "61");
  expect(writes()).toEqual([]);
  await leave();
  await screen.findByText(enLate.settings.saved);
  expect(writes()).toEqual([{ patch: { maxSteps: 61 } }]);
  expect(field.value).toBe("61");
});

test("Enter saves once; leaving the field afterwards does not save again", async () => {
  const { user, field, leave, writes } = await showSteps();
  await replaceText(user, field, "62{Enter}");
  await screen.findByText(enLate.settings.saved);
  await leave();
  expect(writes()).toEqual([{ patch: { maxSteps: 62 } }]);
});

test("a number is shown without leading zeros when the field is left", async () => {
  const { user, field, leave, writes } = await showSteps();
  await replaceText(user, field, `0${stored.maxSteps}`);
  await leave();
  expect(field.value).toBe(String(stored.maxSteps));
  expect(writes()).toEqual([]);
});

test("the Enter of an input method does not save", async () => {
  const { user, field, writes } = await showSteps();
  await replaceText(user, field, "63");
  fireEvent.keyDown(field, { key: "Enter", isComposing: true });
  expect(writes()).toEqual([]);
  expect(field.value).toBe("63");
});

test("an incomplete number is no error while it is typed", async () => {
  const { user, field } = await showSteps();
  await replaceText(user, field, "501");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a number out of range shows the range and keeps the typed text", async () => {
  const { user, field, leave, writes } = await showSteps();
  const typed = "501";
  await replaceText(user, field, typed);
  await leave();
  expect(screen.getByRole("alert").textContent).toBe(range);
  expect(field.getAttribute("aria-describedby")).toBe(screen.getByRole("alert").id);
  expect(field.value).toBe(typed);
  expect(writes()).toEqual([]);
});

test("Escape restores the stored number and nothing is saved", async () => {
  const { user, field, leave, writes } = await showSteps();
  await replaceText(user, field, "501");
  await leave();
  await user.type(field, "{Escape}");
  expect(field.value).toBe(String(stored.maxSteps));
  expect(screen.queryByRole("alert")).toBeNull();
  await leave();
  expect(writes()).toEqual([]);
});

test("a change from the server replaces the text of an unedited field", async () => {
  const { server, field } = await showSteps();
  server.push({ type: "settings", settings: { ...stored, maxSteps: 64 } });
  await waitFor(() => expect(field.value).toBe("64"));
});

test("a change from the server keeps a half-typed text, and Escape shows the new number", async () => {
  const { server, user, field } = await showSteps();
  await replaceText(user, field, "6");
  server.push({ type: "settings", settings: { ...stored, maxSteps: 64 } });
  await waitFor(() => expect(server.client.serverState.get().settings).toMatchObject({ maxSteps: 64 }));
  await user.type(field, "5");
  expect(field.value).toBe("65");
  await user.type(field, "{Escape}");
  expect(field.value).toBe("64");
});

test("a saved field follows the server again", async () => {
  const { server, user, field, leave } = await showSteps();
  await replaceText(user, field, "66");
  await leave();
  await screen.findByText(enLate.settings.saved);
  server.push({ type: "settings", settings: { ...stored, maxSteps: 67 } });
  await waitFor(() => expect(field.value).toBe("67"));
});

test("a number that the server rejects keeps the typed text and shows the error", async () => {
  const { user, field, leave } = await showSteps({ code: "bad_input" });
  await replaceText(user, field, "68");
  await leave();
  expect((await screen.findByRole("alert")).textContent).toBe(enLate.settings.badValue);
  expect(field.value).toBe("68");
});

test("Reset writes the default and is offered only for another value", async () => {
  const { server, user, field, writes } = await showSteps();
  expect(screen.queryByRole("button", { name: enLate.settings.reset })).toBeNull();
  server.push({ type: "settings", settings: { ...stored, maxSteps: 69 } });
  await user.click(await screen.findByRole("button", { name: enLate.settings.reset }));
  await waitFor(() => expect(field.value).toBe(String(stored.maxSteps)));
  expect(writes()).toEqual([{ patch: { maxSteps: stored.maxSteps } }]);
});

test("a folded list states how many values it has", async () => {
  const { client } = await connectClient(() => undefined);
  const user = await renderForUser(client, <Setting name="blockedWords" isFolded />);
  const summary = await screen.findByText(enLate.settings.entries(stored.blockedWords.length));
  const isOpen = () => summary.closest("details")?.open;
  expect(isOpen()).toBe(false);
  await user.click(summary);
  expect(isOpen()).toBe(true);
});

test("a folded list opens when the hash names it", async () => {
  onTestFinished(() => history.replaceState(null, "", "/"));
  const { client } = await connectClient(() => undefined);
  await renderForUser(client, <Setting name="blockedWords" isFolded />);
  const summary = await screen.findByText(enLate.settings.entries(stored.blockedWords.length));
  act(() => {
    history.pushState(null, "", "/settings/permissions#security.blocked_cmds");
    dispatchEvent(new PopStateEvent("popstate"));
  });
  expect(summary.closest("details")?.open).toBe(true);
});

test("a list takes several words at once, without duplicates, and rejects an invalid one", async () => {
  const onSave = vi.fn(() => Promise.resolve());
  const user = await renderForUser(
    testClient(),
    <ListSetting
      values={["rm"]}
      items="words"
      labelId="label"
      addLabel="Word"
      placeholder=""
      isValid={(text) => !text.includes("/")}
      onSave={onSave}
    />,
  );
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Word" });
  await user.type(field, "dd /bin/rm{Enter}");
  expect(onSave).not.toHaveBeenCalled();
  expect(field.value).toBe("dd /bin/rm");
  await replaceText(user, field, "dd, rm mkfs{Enter}");
  expect(onSave.mock.calls).toEqual([[["rm", "dd", "mkfs"]]]);
  expect(field.value).toBe("");
  await user.click(screen.getByRole("button", { name: enLate.settings.removeWord("rm") }));
  expect(onSave.mock.lastCall).toEqual([[]]);
});

test("a list keeps each of several changes that follow before the first is answered", async () => {
  const server = await connectClient((name) => (name === "settings.write" ? new Promise(() => {}) : undefined));
  const user = await renderForUser(server.client, <Setting name="blockedWords" />);
  server.push({ type: "settings", settings: { ...stored, blockedWords: ["rm", "dd", "mkfs"] } });
  await waitFor(() => expect(screen.getAllByRole("listitem")).toHaveLength(3));
  for (const word of ["rm", "dd"])
    await user.click(screen.getByRole("button", { name: enLate.settings.removeWord(word) }));
  await waitFor(() =>
    expect(server.inputsOf("settings.write")).toEqual([
      { patch: { blockedWords: ["dd", "mkfs"] } },
      { patch: { blockedWords: ["mkfs"] } },
    ]),
  );
});

test("a folder is one entry with its blanks and commas, and is not listed twice", async () => {
  const { server, user } = await showList("sandboxWritable", ["/data"]);
  for (const folder of [" /data/My Files, new ", "/data"]) {
    await user.type(screen.getByRole("textbox"), `${folder}{Enter}`);
  }
  await waitFor(() =>
    expect(server.inputsOf("settings.write")).toEqual([
      { patch: { sandboxWritable: ["/data", "/data/My Files, new"] } },
      { patch: { sandboxWritable: ["/data", "/data/My Files, new"] } },
    ]),
  );
});

test("an ignored folder keeps the commas of its name", async () => {
  const { server, user } = await showList("ignoredFolders", ["dist"]);
  await user.type(screen.getByRole("textbox"), "a,b{Enter}");
  await waitFor(() =>
    expect(server.inputsOf("settings.write")).toEqual([{ patch: { ignoredFolders: ["dist", "a,b"] } }]),
  );
});

test("arguments may be equal and contain commas, and each is removed alone, also before the first change is answered", async () => {
  const { server, user } = await showList("terminalShellArguments", ["-o", "a", "-o"]);
  const remove = async (name: string, index: number): Promise<void> => {
    const button = screen.getAllByRole("button", { name: enLate.settings.removeWord(name) })[index];
    if (button === undefined) throw new Error(`No ${name} at ${index}`);
    await user.click(button);
  };
  await user.type(screen.getByRole("textbox"), "x,y{Enter}");
  await user.type(screen.getByRole("textbox"), "-o{Enter}");
  await remove("-o", 0);
  await remove("-o", 1);
  await waitFor(() =>
    expect(server.inputsOf("settings.write")).toEqual(
      [
        ["-o", "a", "-o", "x,y"],
        ["-o", "a", "-o", "x,y", "-o"],
        ["a", "-o", "x,y", "-o"],
        ["a", "-o", "x,y"],
      ].map((terminalShellArguments) => ({ patch: { terminalShellArguments } })),
    ),
  );
});

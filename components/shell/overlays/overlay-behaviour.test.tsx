// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import { makeSessionRow } from "@/lib/testing/test-session-row";
import type { ActionContext } from "../../actions/action";
import { en } from "../../messages/en";
import * as enLate from "../../messages/en-late";
import { sectionTexts } from "../../settings/fields/setting-list";
import { settingsSections } from "../../settings/settings-sections";
import type { AppClient } from "../../state/client";
import type { OverlayId } from "../../state/workbench/workbench-store";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog";
import { Dialog } from "../../ui/overlays/dialog";
import { connectClient, pressEscape, renderForUser } from "../frame/test-dom";
import { emptyLocation, testActionContext, testClient } from "../frame/test-render";
import { overlayRegistry } from "./overlay-registry";
import { Overlays } from "./overlays";
import { RenameDialog } from "./rename-dialog";

const row = makeSessionRow();

const connect = () =>
  connectClient((name) => {
    if (name === "session.list") return { ok: true, value: { rows: [row], more: false } };
    if (name === "files.existing")
      return { ok: true, value: { existing: [{ path: "src/theme.ts", isFolder: false, version: "1" }] } };
    return name === "files.find" ? { ok: true, value: { paths: [], files: 0, isComplete: true } } : undefined;
  });

/** Opens an overlay of the workbench over an open file and a session in the list. */
async function openOverlay(client: AppClient, id: OverlayId, overlays = overlayRegistry) {
  const navigate = vi.fn<ActionContext["navigate"]>();
  client.workbench.showProject(asId<ProjectId>("project"));
  client.workbench.openFile("src/theme.ts");
  client.workbench.showOverlay(id);
  const context = { ...testActionContext(client), navigate };
  const user = await renderForUser(client, <Overlays {...{ context, overlays }} place={emptyLocation} />);
  return { user, navigate };
}

async function openPalette() {
  const { client } = await connect();
  const opened = await openOverlay(client, "palette");
  await screen.findByRole("option", { name: new RegExp(row.title) });
  return {
    ...opened,
    client,
    field: screen.getByRole("combobox"),
    labels: () => screen.queryAllByRole("option").map((option) => option.querySelector("span")?.textContent),
    /** Label of the row that the field names as active. */
    activeLabel: () =>
      document
        .getElementById(screen.getByRole("combobox").getAttribute("aria-activedescendant") ?? "")
        ?.querySelector("span")?.textContent,
  };
}

test("the palette lists commands, files and sessions; a leading > leaves commands only", async () => {
  const { user, field, labels } = await openPalette();
  expect(labels()).toEqual(expect.arrayContaining([en.actions.names.history, "theme.tssrc", row.title]));
  await user.type(field, "theme");
  expect(labels()).toEqual(expect.arrayContaining(["theme.tssrc", en.actions.names.lightTheme]));
  expect(labels()).not.toContain(row.title);
  await user.clear(field);
  await user.type(field, ">theme");
  expect(new Set(labels())).toEqual(
    new Set((["theme", "lightTheme", "darkTheme", "systemTheme"] as const).map((id) => en.actions.names[id])),
  );
});

test("the commands used last come first, under a heading of their own", async () => {
  const first = await openPalette();
  await first.user.type(first.field, ">light{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  cleanup();
  const { user, field, labels } = await openPalette();
  expect(screen.getByRole("listbox").firstElementChild?.textContent).toBe(enLate.palette.recentCommands);
  expect(labels()[0]).toBe(en.actions.names.lightTheme);
  expect(labels().filter((label) => label === en.actions.names.lightTheme)).toHaveLength(1);
  await user.type(field, "a");
  expect(screen.queryByText(enLate.palette.recentCommands)).toBeNull();
});

test("the palette of sessions lists them without commands and files, and opens one", async () => {
  const { client } = await connect();
  const { user, navigate } = await openOverlay(client, "sessions");
  await screen.findByRole("option", { name: new RegExp(row.title) });
  expect(screen.getAllByRole("option")).toHaveLength(1);
  await user.type(screen.getByRole("combobox", { name: en.actions.placeholders.sessions }), "{Enter}");
  await waitFor(() => expect(navigate).toHaveBeenCalledWith(`/s/${row.id}`));
});

test.each(["devices", "evals"] as const)("the palette opens each section of the settings: %s", async (section) => {
  const { user, navigate, field, labels } = await openPalette();
  const texts = sectionTexts(enLate);
  expect(labels()).toEqual(expect.arrayContaining(settingsSections.map(({ id }) => texts[id].title)));
  await user.type(field, `>${texts[section].title}{Enter}`);
  await waitFor(() => expect(navigate).toHaveBeenCalledWith(`/settings/${section}`));
});

test("the palette finds a section of the settings by words for what is in it", async () => {
  const { user, field, labels } = await openPalette();
  await user.type(field, ">sandbox");
  await waitFor(() => expect(labels()).toEqual([enLate.agentSections.permissions.title]));
});

test("the arrow keys move through the rows of the palette and around its ends; typing selects the first", async () => {
  const { user, field, labels, activeLabel } = await openPalette();
  await user.type(field, ">theme");
  await waitFor(() => expect(labels()).toHaveLength(4));
  const [first, second] = labels();
  expect(activeLabel()).toBe(first);
  await user.keyboard("{ArrowUp}");
  expect(activeLabel()).toBe(labels().at(-1));
  await user.keyboard("{ArrowDown}{ArrowDown}");
  expect(activeLabel()).toBe(second);
  expect(screen.getByRole("option", { selected: true }).textContent).toContain(second);
  await user.type(field, " ");
  expect(activeLabel()).toBe(first);
});

test("Enter runs the active command after the palette has closed", async () => {
  const { user, field, client, navigate } = await openPalette();
  let overlay: OverlayId | null = "palette";
  navigate.mockImplementation(() => {
    overlay = client.workbench.get().overlay;
  });
  await user.type(field, ">all ses{Enter}");
  await waitFor(() => expect(navigate.mock.calls).toEqual([["/history"]]));
  expect(overlay).toBeNull();
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("Enter on a session opens it", async () => {
  const { user, field, navigate } = await openPalette();
  await user.type(field, "parser{Enter}");
  await waitFor(() => expect(navigate.mock.calls).toEqual([["/s/s1"]]));
});

test("without a match Enter keeps the palette and its text", async () => {
  const { user, field, navigate } = await openPalette();
  await user.type(field, "zzz{Enter}");
  expect(await screen.findByText(enLate.palette.none)).toBeDefined();
  expect(screen.getByRole<HTMLInputElement>("combobox").value).toBe("zzz");
  expect(navigate).not.toHaveBeenCalled();
});

test("the Enter of an input method runs no command of the palette", async () => {
  const { user, field, navigate } = await openPalette();
  await user.type(field, ">all ses");
  fireEvent.keyDown(field, { key: "Enter", isComposing: true });
  await user.keyboard("{ArrowDown}");
  expect(screen.getByRole("dialog")).toBeDefined();
  expect(navigate).not.toHaveBeenCalled();
});

test("Escape closes a lazily loaded overlay", async () => {
  const client = testClient();
  const { user } = await openOverlay(client, "help");
  await pressEscape(user);
  await waitFor(() => expect(client.workbench.get().overlay).toBeNull());
  expect(screen.queryByRole("dialog")).toBeNull();
});

/** A dialog that opens a confirmation. */
function TwoDialogs({ onYes }: { readonly onYes: () => void }) {
  const [open, setOpen] = useState<readonly ("outer" | "inner")[]>(["outer"]);
  if (!open.includes("outer")) return null;
  return (
    <Dialog title="Outer" closeName="Close" onClose={() => setOpen([])}>
      <input aria-label="Name" />
      <button type="button" onClick={() => setOpen(["outer", "inner"])}>
        Delete
      </button>
      {open.includes("inner") && (
        <ConfirmDialog title="Inner" yes="Delete all" onYes={onYes} onClose={() => setOpen(["outer"])}>
          <p>Everything is deleted.</p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

const dialogNames = (): readonly string[] =>
  screen.queryAllByRole("heading").map(({ textContent }) => textContent ?? "");

test("Escape closes the top dialog only", async () => {
  const onYes = vi.fn();
  const user = await renderForUser(testClient(), <TwoDialogs onYes={onYes} />);
  await user.click(screen.getByRole("button", { name: "Delete" }));
  expect(dialogNames()).toEqual(["Outer", "Inner"]);
  await pressEscape(user);
  expect(dialogNames()).toEqual(["Outer"]);
  await pressEscape(user);
  expect(dialogNames()).toEqual([]);
  expect(onYes).not.toHaveBeenCalled();
});

test("a press beside the top dialog closes it and not the dialog below", async () => {
  const user = await renderForUser(testClient(), <TwoDialogs onYes={() => undefined} />);
  await user.click(screen.getByRole("button", { name: "Delete" }));
  fireEvent.pointerDown(screen.getByText("Everything is deleted."));
  expect(dialogNames()).toEqual(["Outer", "Inner"]);
  const inner = screen.getByRole("heading", { name: "Inner" }).closest("dialog");
  if (inner !== null) fireEvent.pointerDown(inner);
  expect(dialogNames()).toEqual(["Outer"]);
});

test("a dialog opens as modal with the focus in its first field, else on itself, never on a button", async () => {
  const showModal = vi.spyOn(HTMLDialogElement.prototype, "showModal");
  const user = await renderForUser(testClient(), <TwoDialogs onYes={() => undefined} />);
  expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Name" }));
  await user.click(screen.getByRole("button", { name: "Delete" }));
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Inner" }).closest("dialog"));
  expect(showModal).toHaveBeenCalledTimes(2);
});

test("the rename dialog saves a changed title with Enter and closes", async () => {
  const { client, inputsOf } = await connect();
  const onClose = vi.fn();
  const user = await renderForUser(client, <RenameDialog sessionId={row.id} title={row.title} onClose={onClose} />);
  const field = screen.getByRole("textbox");
  await user.clear(field);
  await user.type(field, "  New title {Enter}");
  await waitFor(() => expect(inputsOf("session.update")).toMatchObject([{ sessionId: row.id, title: "New title" }]));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test("the rename dialog saves nothing while the title is empty or unchanged", async () => {
  const { client, inputsOf } = await connect();
  const onClose = vi.fn();
  const user = await renderForUser(client, <RenameDialog sessionId={row.id} title={row.title} onClose={onClose} />);
  await user.clear(screen.getByRole("textbox"));
  expect(screen.getByRole<HTMLButtonElement>("button", { name: en.shell.rename }).disabled).toBe(true);
  await user.type(screen.getByRole("textbox"), `${row.title}{Enter}`);
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(inputsOf("session.update")).toEqual([]);
});

test("an overlay that cannot be loaded offers to try again, which loads it again; Escape closes it", async () => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  const load = vi
    .fn(async () => () => <p>help content</p>)
    .mockRejectedValueOnce(new Error("chunk not found"))
    .mockRejectedValueOnce(new Error("chunk not found"));
  const client = testClient();
  const { user } = await openOverlay(client, "help", { ...overlayRegistry, help: { load } });
  expect((await screen.findByRole("alert")).textContent).toContain("chunk not found");
  await pressEscape(user);
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(client.workbench.get().overlay).toBeNull();
  act(() => client.workbench.showOverlay("help"));
  await user.click(await screen.findByRole("button", { name: en.common.retry }));
  await screen.findByText("help content");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(load).toHaveBeenCalledTimes(3);
});

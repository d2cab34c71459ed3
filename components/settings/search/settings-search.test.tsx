// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { settingsDefaults } from "@/lib/settings/settings";
import * as enLate from "../../messages/en-late";
import { type ConnectedClient, connectClient, renderForUser } from "../../shell/frame/test-dom";
import { SettingsPage } from "../settings-page";

const text = enLate.settings.search;
const field = () => screen.getByRole<HTMLInputElement>("combobox", { name: text.label });
const options = () => screen.queryAllByRole("option");
const activeText = () => screen.getByRole("option", { selected: true }).textContent;

async function openSettings(): Promise<{ readonly server: ConnectedClient; readonly user: UserEvent }> {
  const server = await connectClient(() => undefined);
  history.replaceState(null, "", "/settings/appearance");
  const user = await renderForUser(
    server.client,
    <SettingsPage tab="appearance" projects={[]} loadEditorKeys={async () => []} />,
  );
  await screen.findByRole("radiogroup", { name: enLate.appSections.appearance.fields.theme.label });
  return { server, user };
}

test("typed letters list settings of all sections instead of the section; Escape shows the section again", async () => {
  const { user } = await openSettings();
  await user.type(field(), "tab size");
  expect(activeText()).toContain("editor.tab_size");
  expect(activeText()).toContain(enLate.appSections.editor.title);
  expect(screen.queryByRole("radiogroup")).toBeNull();
  await user.keyboard("{Escape}");
  expect(field().value).toBe("");
  expect(options()).toHaveLength(0);
  await screen.findByRole("radiogroup", { name: enLate.appSections.appearance.fields.theme.label });
});

test("the arrows choose a row and Enter opens its link and ends the search", async () => {
  const { user } = await openSettings();
  await user.type(field(), "text size");
  const [first, second] = options().map((row) => row.getAttribute("href"));
  expect([first, second].toSorted()).toEqual([
    "/settings/editor#editor.font_size",
    "/settings/terminal#terminal.font_size",
  ]);
  const followed: (string | null)[] = [];
  const follow = (event: MouseEvent): void => {
    event.preventDefault();
    followed.push(event.target instanceof Element ? event.target.getAttribute("href") : null);
  };
  document.addEventListener("click", follow, { once: true });
  await user.keyboard("{ArrowDown}{ArrowDown}{ArrowUp}{ArrowDown}{ArrowUp}{ArrowUp}{Enter}");
  expect(followed).toHaveLength(1);
  await waitFor(() => expect(field().value).toBe(""));
});

test("a setting that the hash names is focused in its section", async () => {
  await openSettings();
  act(() => {
    history.pushState(null, "", "/settings/appearance#appearance.theme");
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await waitFor(() => expect(document.activeElement?.closest("[id='appearance.theme']")).not.toBeNull());
});

test("the words of the other language find a setting, too", async () => {
  const { user } = await openSettings();
  await user.type(field(), "夜间");
  await waitFor(() =>
    expect(
      options()
        .map((row) => row.textContent)
        .join(" "),
    ).toContain("appearance.theme"),
  );
});

test("a key of an earlier version finds its setting", async () => {
  const { user } = await openSettings();
  await user.type(field(), "tui.theme");
  expect(activeText()).toContain("appearance.theme");
});

test("the filter lists the changed settings and follows changes of the server", async () => {
  const { server, user } = await openSettings();
  await user.click(screen.getByRole("button", { name: text.changedOnly }));
  expect(screen.getByText(text.noneChanged(""))).toBeDefined();
  expect(document.activeElement).toBe(field());
  server.push({ type: "settings", settings: { ...settingsDefaults, maxSteps: 7, theme: "dark" } });
  await waitFor(() => expect(options()).toHaveLength(2));
  await user.type(field(), " step");
  expect(options()).toHaveLength(1);
  expect(activeText()).toContain(text.changed);
  await user.type(field(), "xyz");
  expect(screen.getByText(text.noneChanged("stepxyz"))).toBeDefined();
  await user.click(screen.getByRole("button", { name: text.changedOnly }));
  expect(screen.getByText(text.none("stepxyz"))).toBeDefined();
});

test("the keys of Find focus the field, and in the field they are left to the browser", async () => {
  const { user } = await openSettings();
  const prevented: boolean[] = [];
  const record = (event: KeyboardEvent): void => void (event.key === "f" && prevented.push(event.defaultPrevented));
  window.addEventListener("keydown", record);
  await user.keyboard("{Control>}f{/Control}");
  expect(document.activeElement).toBe(field());
  await user.keyboard("{Control>}f{/Control}");
  window.removeEventListener("keydown", record);
  expect(prevented).toEqual([true, false]);
});

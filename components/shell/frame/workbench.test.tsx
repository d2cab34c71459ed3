// @vitest-environment happy-dom
/** The whole screen: what is typed in a page when the window changes between the desktop and the phone layout. */
import { act, screen } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { settingsDefaults } from "@/lib/settings/settings";
import { renderForUser } from "./test-dom";
import { testClient } from "./test-render";
import { Workbench } from "./workbench";

test("a text that is not saved yet stays in its field when the window becomes narrow and wide again", async () => {
  // happy-dom has no visual viewport.
  vi.stubGlobal("visualViewport", Object.assign(new EventTarget(), { height: 800, offsetTop: 0, scale: 1 }));
  onTestFinished(() => void vi.unstubAllGlobals());
  window.happyDOM.setViewport({ width: 1280, height: 800 });
  const client = testClient();
  client.serverState.merge({ settings: settingsDefaults });
  const user = await renderForUser(client, <Workbench path="/settings/notifications" />);
  const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "Quiet hours" });
  await user.type(field, "22:0");
  // Only the tabs of the phone have visible names.
  const isPhone = (): boolean => screen.getByRole("navigation", { name: "Side panels" }).textContent !== "";
  expect(isPhone()).toBe(false);
  act(() => window.happyDOM.setViewport({ width: 390, height: 844 }));
  expect(isPhone()).toBe(true);
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Quiet hours" })).toBe(field);
  act(() => window.happyDOM.setViewport({ width: 1280, height: 800 }));
  expect(isPhone()).toBe(false);
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Quiet hours" }).value).toBe("22:0");
});

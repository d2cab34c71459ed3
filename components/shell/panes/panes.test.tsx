import { SquareTerminal } from "lucide-react";
import { expect, test } from "vitest";
import { en } from "../../messages/en";
import { Rail } from "../frame/workbench";
import { PhoneTabs } from "../frame/phone-shell";
import { emptyLocation, renderLoaded, testClient } from "../frame/test-render";
import { BottomPanel } from "./bottom-panel";
import { findPane, type Pane, panesAt, paneRegistry } from "./pane-registry";
import { PaneView } from "./pane-view";

const context = { place: emptyLocation, onRemoved: () => undefined };
const log: Pane = {
  id: "log",
  place: "bottom",
  title: () => "Log",
  icon: SquareTerminal,
  onPhone: false,
  load: async () => () => <p>log content</p>,
};
const panes: readonly Pane[] = [...paneRegistry, log];

test("a chosen bottom pane is loaded and drawn with its title and a divider", async () => {
  const client = testClient();
  client.workbench.changeLayout((layout) => ({ ...layout, bottom: "log" }));
  const panel = await renderLoaded(client, <BottomPanel panes={panes} {...context} />);
  expect(panel).toContain("Log");
  expect(panel).toContain("log content");
  expect(panel).toContain(en.shell.resizeBottom);
});

test("the bottom panel is absent while no registered bottom pane is chosen", async () => {
  const client = testClient();
  expect(await renderLoaded(client, <BottomPanel panes={panes} {...context} />)).not.toContain("<section");
  client.workbench.changeLayout((layout) => ({ ...layout, bottom: "log" }));
  expect(await renderLoaded(client, <BottomPanel {...context} />)).not.toContain("<section");
  // Terminals need a project.
  client.workbench.changeLayout((layout) => ({ ...layout, bottom: "terminal" }));
  expect(await renderLoaded(client, <BottomPanel {...context} />)).not.toContain("<section");
});

test("the rail has a button for each side pane and each bottom pane", async () => {
  const names = async (registered: readonly Pane[]): Promise<readonly (string | undefined)[]> => {
    const rail = await renderLoaded(testClient(), <Rail route={{ page: "home" }} panes={registered} />);
    return [...rail.matchAll(/<button[^>]*aria-label="([^"]*)"/g)].map(([, name]) => name);
  };
  const registered = [...panesAt(paneRegistry, "side"), ...panesAt(paneRegistry, "bottom")].map(({ title }) =>
    title(en),
  );
  expect(await names(paneRegistry)).toEqual(registered);
  expect(await names(panes)).toEqual([...registered, "Log"]);
});

test("the phone has a tab for each pane with one, and one for the settings", async () => {
  const page = await renderLoaded(testClient(), <PhoneTabs tab="conversation" />);
  const tabs = page.slice(page.lastIndexOf("<nav"));
  const titles = paneRegistry.filter(({ onPhone }) => onPhone).map(({ title }) => title(en));
  expect(titles.length).toBeLessThan(paneRegistry.length);
  expect([...tabs.matchAll(/>([^<]+)</g)].map(([, text]) => text)).toEqual([...titles, en.shell.settings]);
});

test("a pane whose condition is not met is neither loaded nor drawn", async () => {
  let isLoaded = false;
  const pane: Pane = {
    ...log,
    when: ({ place }) => place.projectId !== null,
    load: async () => {
      isLoaded = true;
      return () => <p>log content</p>;
    },
  };
  expect(await renderLoaded(testClient(), <PaneView pane={pane} {...context} />)).not.toContain("log content");
  expect(isLoaded).toBe(false);
});

test("an id that no pane has draws nothing", async () => {
  const view = <PaneView pane={findPane(paneRegistry, "gone")} {...context} />;
  expect(await renderLoaded(testClient(), view)).not.toContain("<");
});

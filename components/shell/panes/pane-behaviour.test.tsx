// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from "@testing-library/react";
import { SquareTerminal, Terminal } from "lucide-react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import { en } from "../../messages/en";
import { type AppClient, createClient } from "../../state/client";
import { useStore } from "../../state/store";
import { paneBounds } from "../../state/workbench/layout";
import { renderForUser } from "../frame/test-dom";
import { emptyLocation, testClient } from "../frame/test-render";
import { Page } from "../frame/page";
import type { Route } from "../navigation/router";
import { Rail } from "../frame/workbench";
import { BottomPanel } from "./bottom-panel";
import { findPane, layoutPaneIds, type Pane } from "./pane-registry";
import { PaneView } from "./pane-view";

const context = { place: emptyLocation, onRemoved: () => undefined };
const makePane = (id: string, place: Pane["place"], load: Extract<Pane, { load: unknown }>["load"]): Pane => ({
  id,
  place,
  title: () => id,
  icon: place === "bottom" ? SquareTerminal : Terminal,
  onPhone: false,
  load,
});
const sessions = makePane("sessions", "side", async () => () => <p>sessions content</p>);
const notes = makePane("notes", "side", async () => () => <p>notes content</p>);
const broken = makePane("broken", "side", () => Promise.reject(new Error("chunk not found")));
const log = makePane("log", "bottom", async () => () => <p>log content</p>);
const panes = [sessions, notes, broken, log];

const project = asId<ProjectId>("p1");

/** A client of a browser that stored this layout for the project. */
function clientWithLayout(layout: object): AppClient {
  const storage = { getItem: () => JSON.stringify(layout), setItem: () => undefined };
  const client = createClient({ local: storage, tab: storage }, () => 0, layoutPaneIds(panes));
  client.workbench.showProject(project);
  return client;
}

/** The rail with the side panel and the bottom panel it controls. */
function Frame({ client }: { readonly client: AppClient }) {
  const side = useStore(client.workbench, (state) => state.layout.side);
  return (
    <>
      <Rail route={{ page: "home" }} panes={panes} />
      <PaneView pane={findPane(panes, side)} {...context} />
      <BottomPanel panes={panes} {...context} />
    </>
  );
}

const railButton = (name: string): HTMLElement => screen.getByRole("button", { name });

test("the rail opens a side pane, exchanges it for another and closes it", async () => {
  const client = testClient();
  const user = await renderForUser(client, <Frame client={client} />);
  await screen.findByText("sessions content");
  expect(railButton("sessions").getAttribute("aria-pressed")).toBe("true");
  await user.click(railButton("notes"));
  await screen.findByText("notes content");
  expect(screen.queryByText("sessions content")).toBeNull();
  expect(railButton("sessions").getAttribute("aria-pressed")).toBe("false");
  await user.click(railButton("notes"));
  expect(screen.queryByText("notes content")).toBeNull();
  expect(railButton("notes").getAttribute("aria-pressed")).toBe("false");
});

test("a bottom pane opens beside the side pane and closes with its own button", async () => {
  const client = testClient();
  const user = await renderForUser(client, <Frame client={client} />);
  await user.click(railButton("log"));
  await screen.findByText("log content");
  expect(screen.getByText("sessions content")).toBeDefined();
  await user.click(railButton(en.common.close));
  expect(screen.queryByText("log content")).toBeNull();
  expect(client.workbench.get().layout.bottom).toBeNull();
});

test("a stored layout opens its panes", async () => {
  const client = clientWithLayout({ side: "notes", bottom: "log" });
  await renderForUser(client, <Frame client={client} />);
  await screen.findByText("notes content");
  await screen.findByText("log content");
});

test("a stored layout with ids of panes that are not registered opens the default", async () => {
  const client = clientWithLayout({ side: "removed", lastSide: "removed", bottom: "removed" });
  await renderForUser(client, <Frame client={client} />);
  await screen.findByText("sessions content");
  expect(screen.queryByRole("separator")).toBeNull();
});

test("a pane that cannot be loaded shows the error and Reload; the other panes stay usable", async () => {
  const onError = vi.spyOn(console, "error").mockReturnValue(undefined);
  const reload = vi.spyOn(location, "reload").mockReturnValue(undefined);
  const client = clientWithLayout({ side: "broken", bottom: "log" });
  const user = await renderForUser(client, <Frame client={client} />);
  expect((await screen.findByRole("alert")).textContent).toContain("chunk not found");
  await screen.findByText("log content");
  await user.click(railButton(en.shell.reload));
  expect(reload).toHaveBeenCalledTimes(1);
  expect(onError).toHaveBeenCalled();
});

test("the error of a pane does not stay when another pane is chosen", async () => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  const client = clientWithLayout({ side: "broken" });
  const user = await renderForUser(client, <Frame client={client} />);
  await screen.findByRole("alert");
  await user.click(railButton("notes"));
  await screen.findByText("notes content");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("the error of a session's pane does not stay when another session is opened", async () => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  const [first, second] = [asId<SessionId>("s1"), asId<SessionId>("s2")];
  const conversation = makePane("conversation", "main", async () => ({ place }) => {
    if (place.sessionId === first) throw new Error("cannot draw");
    return <p>conversation content</p>;
  });
  function Sessions() {
    const [sessionId, setSessionId] = useState(first);
    return (
      <>
        <button onClick={() => setSessionId(second)}>second session</button>
        <PaneView pane={conversation} {...context} place={{ ...emptyLocation, sessionId }} />
      </>
    );
  }
  const user = await renderForUser(testClient(), <Sessions />);
  expect((await screen.findByRole("alert")).textContent).toContain("cannot draw");
  await user.click(screen.getByRole("button", { name: "second session" }));
  await screen.findByText("conversation content");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("the error of a page does not stay when another page is opened", async () => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  const project = {
    get id(): ProjectId {
      throw new Error("cannot draw");
    },
    path: "/work",
    name: "work",
    openedAt: 1,
  };
  function Pages() {
    const [route, setRoute] = useState<Route>({ page: "history" });
    return (
      <>
        <button onClick={() => setRoute({ page: "missing" })}>another page</button>
        <Page route={route} {...context} place={{ ...emptyLocation, projects: [project] }} />
      </>
    );
  }
  const user = await renderForUser(testClient(), <Pages />);
  expect((await screen.findByRole("alert")).textContent).toContain("cannot draw");
  await user.click(screen.getByRole("button", { name: "another page" }));
  await screen.findByText(en.shell.missing);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("the panel has a size of its own below the editor and on its right", async () => {
  const client = clientWithLayout({ bottom: "log" });
  const place = (isRight: boolean) => <BottomPanel isRight={isRight} panes={panes} {...context} />;
  const { right, bottom } = paneBounds;
  const user = await renderForUser(client, place(true));
  screen.getByRole("separator", { name: en.shell.resizeBottom }).focus();
  await user.keyboard("{ArrowLeft}");
  const width = client.workbench.get().layout.sizes.right;
  expect(width).toBeGreaterThan(right.normal);
  expect(screen.getByRole("region", { name: "log" }).style).toMatchObject({ width: `${width}px`, height: "" });
  cleanup();
  await renderForUser(client, place(false));
  expect(screen.getByRole("region", { name: "log" }).style).toMatchObject({ width: "", height: `${bottom.normal}px` });
});

test("the divider resizes the bottom panel by keyboard within its bounds, and Home folds it", async () => {
  const client = clientWithLayout({ bottom: "log" });
  const user = await renderForUser(client, <Frame client={client} />);
  const divider = screen.getByRole("separator", { name: en.shell.resizeBottom });
  const { normal, max } = paneBounds.bottom;
  const size = (): number => client.workbench.get().layout.sizes.bottom;
  divider.focus();
  await user.keyboard("{ArrowUp}");
  expect(size()).toBeGreaterThan(normal);
  await user.keyboard("{End}");
  expect(size()).toBe(max);
  await user.keyboard("{Enter}");
  expect(size()).toBe(normal);
  await user.keyboard("{Home}");
  await waitFor(() => expect(screen.queryByRole("separator")).toBeNull());
});

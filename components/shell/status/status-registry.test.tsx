// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createStore, useStore } from "../../state/store";
import { connectClient, renderForUser } from "../frame/test-dom";
import { emptyLocation, testClient } from "../frame/test-render";
import { StatusBar, StatusItems } from "./status-bar";
import { type StatusItem, statusRegistry } from "./status-registry";

const drawBar = (items: readonly StatusItem[]) =>
  renderForUser(testClient(), <StatusBar place={emptyLocation} items={items} />);
const bar = (): string => screen.getByRole("contentinfo").textContent;

test("the items are drawn in their order, those of the left before those of the right", async () => {
  const item = (id: string, ...areas: StatusItem["areas"]): StatusItem => ({ id, areas, component: () => `${id} ` });
  await drawBar([item("end", "right"), item("first", "left"), item("second", "left", "phone"), item("top", "header")]);
  expect(bar()).toBe("first second end ");
});

test("an item of the phone is drawn compactly in its top bar", async () => {
  const item: StatusItem = {
    id: "badge",
    areas: ["right", "phone"],
    component: ({ isCompact }) => <p>{isCompact ? "icon" : "sentence"}</p>,
  };
  await renderForUser(testClient(), <StatusItems area="phone" place={emptyLocation} items={[item]} />);
  expect(screen.getByText("icon")).toBeDefined();
});

test("an item with a loader appears and disappears with the state of its pane", async () => {
  const position = createStore<string | null>(null);
  const Position = () => useStore(position, (value) => value);
  await drawBar([{ id: "position", areas: ["right"], load: async () => Position }]);
  expect(bar()).toBe("");
  act(() => position.set("Ln 3, Col 7"));
  await waitFor(() => expect(bar()).toBe("Ln 3, Col 7"));
  act(() => position.set(null));
  expect(bar()).toBe("");
});

test("an item that cannot be loaded is left out, and the others stay", async () => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  const load = vi.fn(() => Promise.reject(new Error("chunk not found")));
  await drawBar([
    { id: "broken", areas: ["left"], load },
    { id: "whole", areas: ["left"], component: () => "whole" },
    { id: "hidden", areas: ["left"], when: ({ place }) => place.projectId !== null, component: () => "hidden" },
  ]);
  await waitFor(() => expect(load).toHaveBeenCalled());
  expect(bar()).toBe("whole");
});

test("while connected the dot has a name and no words; else the words are shown", async () => {
  const items = statusRegistry.filter(({ id }) => id === "connection");
  const { client } = await connectClient(() => undefined);
  await renderForUser(client, <StatusBar place={emptyLocation} items={items} />);
  expect(screen.getByText("connected").className).toBe("sr-only");
  await renderForUser(testClient(), <StatusBar place={emptyLocation} items={items} />);
  expect(screen.getByText("connecting").className).toBe("");
});

// @vitest-environment happy-dom
import { cleanup, render, screen, within, waitFor } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import type { ChannelView } from "@/lib/channels/channels";
import type { RunningStatus } from "@/lib/protocol/status-report";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { ServiceNote } from "../item-section/service-note";
import { statusDelay } from "./status-delay";
import { StatusTab } from "./status-tab";

const ollama = { id: "ollama", name: "Ollama", address: "http://127.0.0.1:11434", models: ["m:8b"], isOptional: false };
const well: RunningStatus = {
  version: "1.2.0",
  server: { address: "http://localhost:4674", pid: 42, version: "1.2.0", responds: true },
  hosts: [ollama],
  hasChannels: true,
  sessions: { working: 0, waiting: 0, cards: [] },
  config: { path: "/h/config.yaml", problems: [] },
  home: { path: "/h", bytes: 12_000_000, isWritable: true },
  service: { status: "running", file: "/s" },
};

async function renderStatus(report: RunningStatus, channels: readonly ChannelView[] = []): Promise<void> {
  const { client } = await connectClient((name) => {
    if (name === "server.status") return { ok: true, value: report };
    if (name === "channels.list") return { ok: true, value: { channels } };
    return name === "session.list" ? { ok: true, value: { rows: [], more: false } } : undefined;
  });
  await renderForUser(client, <StatusTab />);
  await screen.findByRole("group", { name: "Server" });
}
const stateOf = (name: string) => screen.getByRole("group", { name }).getAttribute("data-part-state");

test("each part that works is OK with its facts", async () => {
  await renderStatus(well);
  expect(screen.getByRole("status").textContent).toBe("Everything works");
  const names = ["gopi-web", "Server", "Ollama", "Sessions", "config.yaml", "Disk", "Service"];
  expect(screen.getAllByRole("group").map((part) => part.getAttribute("aria-label"))).toEqual(names);
  expect(names.map(stateOf)).toEqual(names.map(() => "ok"));
  expect(screen.getByRole("group", { name: "Ollama" }).textContent).toContain("http://127.0.0.1:11434 · 1 model");
});

test("where a hub starts the server, it isn't offered as a service of the machine", async () => {
  document.documentElement.dataset.hub = "";
  onTestFinished(() => void delete document.documentElement.dataset.hub);
  await renderStatus({ ...well, service: { status: "not_installed" } });
  expect(screen.queryByRole("group", { name: "Service" })).toBeNull();
  cleanup();
  expect(render(<ServiceNote text="To start it:" />).container.textContent).toBe("");
});

test("a card that waits is a link to its session, and no fault", async () => {
  const card = { id: asId<SessionId>("s1"), projectId: asId<ProjectId>("p1"), title: "Fix it", cwd: "/shop" };
  await renderStatus({ ...well, sessions: { working: 2, waiting: 1, cards: [card] } });
  const link = within(screen.getByRole("group", { name: "Sessions" })).getByRole("link");
  expect([link.getAttribute("href"), link.textContent]).toEqual(["/s/s1", "Fix it/shop"]);
  expect(screen.getByRole("status").textContent).toBe("Everything works");
});

test("a channel that waits for the user is counted, with its reason; one that is off is not", async () => {
  const channel: ChannelView = {
    kind: "telegram",
    isOn: true,
    apiAddress: "",
    token: "stored",
    connection: { kind: "stopped", error: { code: "key_refused" } },
    people: [],
  };
  await renderStatus(well, [channel]);
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe("One thing needs you"));
  expect(within(screen.getByRole("group", { name: "Telegram" })).getByRole("link").textContent).toBe("Channels");
  cleanup();
  await renderStatus(well, [{ ...channel, isOn: false, connection: { kind: "off" } }]);
  await waitFor(() => expect(stateOf("Telegram")).toBe("off"));
  expect(screen.getByRole("status").textContent).toBe("Everything works");
});

test("what is broken is counted, with the next step; what is not used is off", async () => {
  const silent = { ...ollama, models: [], error: { code: "server_unreachable" } } as const;
  await renderStatus({
    ...well,
    hosts: [
      { ...silent, isOptional: true },
      { ...silent, id: "c1", name: "GPU" },
    ],
    config: { path: "/h/config.yaml", problems: [{ code: "bad_value", line: 3, column: 1, key: "agent.max_steps" }] },
    home: { ...well.home, isWritable: false },
    service: { status: "not_installed" },
  });
  expect(screen.getByRole("status").textContent).toBe("3 things need you");
  expect(["Ollama", "GPU", "config.yaml", "Disk", "Service"].map(stateOf)).toEqual([
    "off",
    "broken",
    "broken",
    "broken",
    "off",
  ]);
  const links = screen.getAllByRole("link").map((link) => link.getAttribute("href"));
  expect(links).toEqual(["/settings/connections", "/settings/yaml"]);
  expect(screen.getByText("gopi-web serve --install")).toBeDefined();
});

test.each([
  [{ isInvalidated: false, dataUpdatedAt: 1, errorUpdatedAt: 0 }, 60_000],
  [{ isInvalidated: true, dataUpdatedAt: 0, errorUpdatedAt: 0 }, 1],
  [{ isInvalidated: true, dataUpdatedAt: 15_000, errorUpdatedAt: 0 }, 5_000],
  // It failed.
  [{ isInvalidated: true, dataUpdatedAt: 0, errorUpdatedAt: 19_000 }, 9_000],
  [{ isInvalidated: false, dataUpdatedAt: 0, errorUpdatedAt: 20_000 }, 10_000],
])("20 s after the start, %j is requested again after %i ms", (state, delay) => {
  expect(statusDelay(state, 20_000)).toBe(delay);
});

// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import type { SessionRow, SessionStatus } from "@/lib/protocol/session-row";
import { hourMs } from "@/lib/time/duration";
import { connectClient, renderForUser } from "../frame/test-dom";
import { OverviewPage } from "./overview-page";

const row = (title: string, status: SessionStatus, hours: number): SessionRow => ({
  id: asId<SessionId>(title),
  projectId: asId<ProjectId>("p1"),
  cwd: "/shop",
  title,
  status,
  mode: "ask",
  model: "m",
  createdAt: 0,
  updatedAt: Date.now() - hours * hourMs,
  lastSeq: 1,
  added: 0,
  removed: 0,
});

test("lists what runs and what failed lately in all projects, and no finished or old session", async () => {
  const active = [row("runs", "running", 0)];
  const others = [
    row("failed", "error", 1),
    row("limited", "limit", 70),
    row("old", "error", 80),
    row("done", "idle", 1),
  ];
  const { client } = await connectClient((name, input) => {
    if (name === "automations.list") return { ok: true, value: { automations: [] } };
    if (name !== "session.list") return undefined;
    const isActive = typeof input === "object" && input !== null && "active" in input;
    return { ok: true, value: { rows: isActive ? active : [...active, ...others], more: false } };
  });
  await renderForUser(client, <OverviewPage projects={[]} />);
  const links = (region: string) =>
    within(screen.getByRole("region", { name: region }))
      .getAllByRole("link")
      .map((link) => link.getAttribute("href"));
  await screen.findByRole("region", { name: "Running" });
  expect(links("Running")).toEqual(["/s/runs"]);
  expect(links("Ended early in the last three days")).toEqual(["/s/failed", "/s/limited"]);
  expect(screen.queryByRole("region", { name: "Waiting for you" })).toBeNull();
});

test("without work it says so, and offers a new session", async () => {
  const { client } = await connectClient((name) => {
    if (name === "automations.list") return { ok: true, value: { automations: [] } };
    return name === "session.list" ? { ok: true, value: { rows: [], more: false } } : undefined;
  });
  await renderForUser(client, <OverviewPage projects={[]} />);
  expect(await screen.findByText("Nothing is running")).toBeTruthy();
  expect(screen.getByRole("link", { name: "New session" }).getAttribute("href")).toBe("/");
});

test("lists the sessions at work beyond the first page, which have waited the longest", async () => {
  const { client } = await connectClient((name, input) => {
    if (name === "automations.list") return { ok: true, value: { automations: [] } };
    if (name !== "session.list") return undefined;
    const isNext = typeof input === "object" && input !== null && "before" in input;
    const isActive = typeof input === "object" && input !== null && "active" in input;
    if (!isActive) return { ok: true, value: { rows: [], more: false } };
    return {
      ok: true,
      value: isNext
        ? { rows: [row("old", "running", 9)], more: false }
        : { rows: [row("new", "running", 0)], more: true },
    };
  });
  await renderForUser(client, <OverviewPage projects={[]} />);
  const running = within(await screen.findByRole("region", { name: "Running" }));
  expect(running.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["/s/new", "/s/old"]);
});

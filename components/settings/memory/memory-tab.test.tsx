// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { MemoryTab } from "./memory-tab";

const project = { id: asId<ProjectId>("p"), name: "shop", path: "/shop", openedAt: 0 };

test.each([
  [
    { code: "timeout", facts: { path: "/net/memory", seconds: 2 } },
    /The folder \/net\/memory didn't answer within 2 s/,
  ],
  [{ code: "internal" }, /Couldn't load the memory/],
])("what could not be read is said: %j", async (error, sentence) => {
  const { client } = await connectClient((name) => (name === "memory.state" ? { ok: false, error } : undefined));
  await renderForUser(client, <MemoryTab projects={[project]} />);
  expect((await screen.findByRole("alert")).textContent).toMatch(sentence);
  expect(screen.getByRole("button", { name: "Try again" })).toBeDefined();
});

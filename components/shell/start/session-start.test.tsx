// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import type { ProjectFacts } from "@/lib/protocol/answers";
import { connectClient, renderForUser } from "../frame/test-dom";
import { SessionStart } from "./session-start";

const projectId = asId<ProjectId>("p1");

async function showStart(
  facts: ProjectFacts,
  connection: string | null = null,
  tasks = ["explain", "tests", "review"],
) {
  const { client, inputsOf } = await connectClient((name) => {
    if (name === "session.list") return { ok: true, value: { rows: [], more: false } };
    if (name === "project.facts") return { ok: true, value: facts };
    if (name !== "project.open") return undefined;
    const project = { id: projectId, path: "/shop", name: "shop", openedAt: 0 };
    return { ok: true, value: { project, starters: tasks, isWorkspace: true } };
  });
  const chosen: string[] = [];
  const choice = { model: "m", connection };
  const user = await renderForUser(
    client,
    <SessionStart projectId={projectId} choice={choice} onStarter={(text) => void chosen.push(text)} />,
  );
  await screen.findByText("shop");
  const texts = (): readonly (string | null)[] => screen.getAllByRole("button").map(({ textContent }) => textContent);
  return { user, chosen, texts, inputsOf };
}

test("the starters name the tests, the TODOs and the last commit of the project", async () => {
  const todos = { folder: "src", count: 3, hasMore: false };
  const { user, chosen, texts } = await showStart({ testCommand: "npm test", todos, lastCommit: "Fix the sum" });
  const concrete = [
    "Go through the TODOs in src (3)",
    "Run npm test and fix what fails",
    "Review the last commit: Fix the sum",
  ];
  await expect.poll(texts).toEqual(concrete);
  await user.click(screen.getByRole("button", { name: "Run npm test and fix what fails" }));
  expect(chosen).toEqual(["Run npm test and fix what fails"]);
});

test("without a fact about it, a usual starter stays", async () => {
  const todos = { folder: "", count: 200, hasMore: true };
  const { texts } = await showStart({ testCommand: null, todos, lastCommit: null });
  await expect
    .poll(texts)
    .toEqual(["Go through the TODOs in shop (200+)", "Run the tests and fix what fails", "Review the last commit"]);
});

test("the tour offers what it has an answer for", async () => {
  const { texts, inputsOf } = await showStart({ testCommand: "npm test", todos: null, lastCommit: null }, "tour");
  await expect.poll(texts).toEqual(["Run the tests and fix what fails"]);
  expect(inputsOf("project.facts")).toEqual([]);
});

test("a package with a test script is not asked for its first tests", async () => {
  const facts = { testCommand: "npm test", todos: null, lastCommit: null };
  const { texts } = await showStart(facts, null, ["write_tests"]);
  await expect.poll(texts).toEqual(["Run npm test and fix what fails"]);
});

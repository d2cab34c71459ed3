// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import { connectClient, renderForUser } from "../frame/test-dom";
import { emptyLocation } from "../frame/test-render";
import { BranchStatus } from "./branch-status";

const projectId = asId<ProjectId>("p1");
const project = {
  project: { id: projectId, path: "/work", name: "work", openedAt: 1 },
  ...{ branch: "main", gone: false, trusted: false, findings: [], isWorkspace: false, starters: [] },
};

test("the branch is a button; git runs for its menu only, and in a trusted folder", async () => {
  const { client, inputsOf } = await connectClient((name) =>
    name.startsWith("source.") ? { ok: false, error: { code: "untrusted" } } : undefined,
  );
  const user = await renderForUser(client, <BranchStatus place={{ ...emptyLocation, projectId, project }} isCompact />);
  const button = screen.getByRole("button", { name: "Branch main" });
  expect(inputsOf("source.branches")).toEqual([]);
  await user.click(button);
  await user.click(await screen.findByRole("menuitem", { name: "Review and trust…" }));
  expect(client.workbench.get().overlay).toBe("trust");
});

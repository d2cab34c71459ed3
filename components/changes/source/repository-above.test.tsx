// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { RepositoryNote, RepositoryOffer } from "./repository-above";

const projectId = asId<ProjectId>("p1");
const top = "/home/ada/monorepo";

test("the repository above the folder is used after a click, and no longer after another", async () => {
  const { client, inputsOf } = await connectClient((name) => {
    if (name === "source.status") return { ok: true, value: { kind: "above", top } };
    return name === "source.use_repository" ? { ok: false, error: { code: "untrusted" } } : undefined;
  });
  const user = await renderForUser(
    client,
    <>
      <RepositoryOffer projectId={projectId} />
      <RepositoryNote projectId={projectId} above={{ top, staged: 2 }} />
    </>,
  );
  expect(await screen.findByText(/belongs to the git repository in \/home\/ada\/monorepo/)).toBeTruthy();
  expect(screen.getByRole("status").textContent).toBe(
    "The next commit also contains 2 files that are staged outside of this folder.",
  );
  await user.click(screen.getByRole("button", { name: "Use this repository" }));
  await user.click(screen.getByRole("button", { name: "Stop using it" }));
  await waitFor(() =>
    expect(inputsOf("source.use_repository")).toEqual([
      { projectId, top },
      { projectId, top: null },
    ]),
  );
});

// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import type { Connection } from "@/lib/models/models";
import { connectClient, renderForUser } from "../frame/test-dom";
import { TourNotice } from "./tour-notice";

const tour = asId<ProjectId>("tour");
const own = asId<ProjectId>("own");
const connection: Connection = {
  id: "tour",
  name: "gopi-web",
  preset: "tour",
  baseUrl: "http://tour.localhost/v1",
  model: "scripted",
  numCtx: 0,
  key: { from: "none" },
  local: true,
};

async function leaveFrom(shown: ProjectId) {
  const rig = await connectClient((name) => {
    if (name === "terminal.list") return { ok: true, value: { terminals: [{ id: "t1" }] } };
    if (name === "terminal.close") return { ok: true, value: null };
    return name === "tour.end" ? { ok: true, value: { returnTo: own } } : undefined;
  });
  rig.client.workbench.showProject(shown);
  const user = await renderForUser(rig.client, <TourNotice connection={{ ...connection, projectId: tour }} />);
  await user.click(await screen.findByRole("button", { name: "Leave the tour" }));
  await expect.poll(() => rig.inputsOf("tour.end")).toEqual([{}]);
  return rig;
}

test("leaving the tour closes its terminals and returns to the project it was started in", async () => {
  const { client, inputsOf } = await leaveFrom(tour);
  expect(inputsOf("terminal.close")).toEqual([{ terminalId: "t1" }]);
  await expect.poll(() => client.workbench.get().projectId).toBe(own);
});

test("in another project, leaving the tour stays there", async () => {
  const other = asId<ProjectId>("other");
  const { client } = await leaveFrom(other);
  expect(client.workbench.get().projectId).toBe(other);
});

test("a server that is a tour as a whole cannot leave it", async () => {
  const { client } = await connectClient(() => undefined);
  await renderForUser(client, <TourNotice connection={connection} />);
  expect(await screen.findByText(/^Tour: /)).toBeDefined();
  expect(screen.queryByRole("button")).toBeNull();
});

import { expect, test } from "vitest";
import { en } from "../../messages/en";
import type { OverlayId } from "../../state/workbench/workbench-store";
import { emptyLocation, renderLoaded, testActionContext, testClient } from "../frame/test-render";
import { Overlays } from "./overlays";

async function drawOverlay(id: OverlayId | null): Promise<string> {
  const client = testClient();
  client.workbench.showOverlay(id);
  const context = testActionContext(client);
  return await renderLoaded(client, <Overlays context={context} place={emptyLocation} />);
}

test("the open overlay is loaded and drawn", async () => {
  expect(await drawOverlay("help")).toContain(en.actions.names.help);
  expect(await drawOverlay("palette")).toContain(en.actions.names.palette);
});

test("nothing is drawn while no overlay is open", async () => {
  expect(await drawOverlay(null)).not.toContain("<dialog");
});

test.each(["trust", "trash", "tree", "rename_session", "restore"] as const)(
  "the overlay %s is empty without its project or session",
  async (id) => {
    expect(await drawOverlay(id)).not.toContain("<dialog");
  },
);

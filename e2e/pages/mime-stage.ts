/**
 * Fixtures for specs that work on a real package: a signed-in tab at the workbench of that package, and the requests
 * to its model.
 */
import { basename } from "node:path";
import { expect, test as base } from "../fixtures/test";
import { plantMimeProject } from "../fixtures/mime-project";
import type { ScriptedModel } from "../fixtures/scripted-model.mjs";
import { WorkbenchPageObject } from "./workbench-page";

export const test = base.extend<{ readonly bench: WorkbenchPageObject }>({
  place: async ({ place }, use) => {
    await plantMimeProject(place.project);
    await use(place);
  },
  bench: async ({ page, place }, use) => {
    const bench = new WorkbenchPageObject(page);
    await bench.expectOnline();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(basename(place.project));
    await bench.session.expectReady();
    await use(bench);
  },
});

/** The same with a server of their own. */
export const ownServerTest = test.extend({ hasOwnServer: true });

export { expect };

/** Returns the bodies of the chat requests so far, without requests that only load a model. */
export const chatRequestBodies = (model: ScriptedModel): readonly string[] =>
  model.requests
    .filter(({ path, raw }) => path === "/api/chat" && !raw.includes('"messages":[]'))
    .map(({ raw }) => raw);

// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import * as enLate from "../messages/en-late";
import { connectClient, renderForUser } from "../shell/frame/test-dom";
import { Breadcrumbs } from "./breadcrumbs";

test("the list of a folder that is read in pages ends with the number of the entries that are not in it", async () => {
  const nodes = [{ name: "a.ts", path: "a.ts", kind: "file", size: 1, ignored: false }];
  const { client } = await connectClient((name) =>
    name === "files.list" ? { ok: true, value: { path: "", nodes, total: 2_001 } } : undefined,
  );
  const user = await renderForUser(client, <Breadcrumbs projectId={asId<ProjectId>("p1")} path="a.ts" />);
  await user.click(screen.getByTitle(enLate.editor.siblings("a.ts")));
  const items = await screen.findAllByRole("menuitemradio");
  expect(items.map(({ textContent }) => textContent)).toEqual(["a.ts", enLate.files.more("2,000")]);
  expect(items[1]).toHaveProperty("disabled", true);
});

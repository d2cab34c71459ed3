// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { FolderNames } from "@/lib/workspace/folder-path";
import { connectClient, renderForUser } from "../frame/test-dom";
import { FolderField } from "./folder-field";

async function showField(path: string, names: FolderNames) {
  const { client } = await connectClient((name) =>
    name === "project.folders" ? { ok: true, value: names } : undefined,
  );
  const nothing = (): void => undefined;
  await renderForUser(
    client,
    <FolderField id="f" path={path} placeholder="" invalid={false} onPath={nothing} onEnter={nothing} />,
  );
}

test("the folder that is listed is named, also while the field is empty", async () => {
  await showField("", { folder: "~/", parent: "/", names: ["shop"], more: false });
  expect(await screen.findByText("Folders in ~/")).toBeDefined();
  expect(screen.getByRole("option", { name: "shop" })).toBeDefined();
});

test.each([
  ["/empty/", "There are no folders in it."],
  ["/empty/x", "No matching folders."],
])("an empty folder is told apart from one without a match: %s", async (path, text) => {
  await showField(path, { folder: "/empty/", parent: "/", names: [], more: false });
  expect(await screen.findByText(text)).toBeDefined();
});

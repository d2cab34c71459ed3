// @vitest-environment happy-dom
import { waitFor } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import { getOpenFiles } from "../../editor/open-files";
import { en } from "../../messages/en";
import * as enLate from "../../messages/en-late";
import { connectClient } from "../../shell/frame/test-dom";
import { deleteFiles } from "./file-operations";

const projectId = asId<ProjectId>("p1");
const paths = ["new/a.ts", "new/b.ts", "c.ts"];

function answer(name: string): unknown {
  if (name === "files.delete")
    return { ok: true, value: { deleted: ["new", "c.ts"].map((path) => ({ path, trashId: path })), failed: [] } };
  if (name !== "files.read") return undefined;
  return {
    ok: true,
    value: { path: "", text: "one", hash: "#1", size: 3, eol: "\n", encoding: "utf8", readOnly: null },
  };
}

test.each([
  ["the user was asked", false, []],
  ["an upload is undone", true, ["new/a.ts", "new/b.ts"]],
] as const)("deleting a folder and its unsaved text, when %s (undo: %s)", async (_title, isUndo, left) => {
  onTestFinished(() => sessionStorage.clear());
  const { client } = await connectClient(answer);
  client.workbench.showProject(projectId);
  const { documents } = getOpenFiles(client, projectId);
  for (const path of paths) {
    client.workbench.openFile(path);
    documents.open(path);
  }
  await waitFor(() => expect([...documents.get().values()].every(({ status }) => status === "ready")).toBe(true));
  const buffer = {
    text: () => "typed",
    equals: () => false,
    replace: () => undefined,
    dropHistory: () => undefined,
    clean: () => undefined,
  };
  documents.attach("new/a.ts", buffer);
  documents.typed("new/a.ts");
  expect(await deleteFiles({ client, messages: { ...en, ...enLate }, projectId }, ["new", "c.ts"], isUndo)).toBe(true);
  expect([[...documents.get().keys()], client.handles.unsavedFiles?.list(projectId)]).toEqual([left, left.slice(0, 1)]);
});

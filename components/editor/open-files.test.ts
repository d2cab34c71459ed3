// @vitest-environment happy-dom
import { waitFor } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import { connectClient } from "../shell/frame/test-dom";
import { getOpenFiles } from "./open-files";

const projectId = asId<ProjectId>("p1");

function answer(name: string): unknown {
  if (name !== "files.read") return undefined;
  return {
    ok: true,
    value: { path: "", text: "one", hash: "#1", size: 3, eol: "\n", encoding: "utf8", readOnly: null },
  };
}

test("unsaved text is moved by a rename, and prompts before the page is left, without an editor pane", async () => {
  onTestFinished(() => sessionStorage.clear());
  const { client } = await connectClient(answer);
  const { documents } = getOpenFiles(client, projectId);
  documents.open("src/a.ts");
  await waitFor(() => expect(documents.get().get("src/a.ts")?.status).toBe("ready"));
  const leave = (): boolean => !dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(leave()).toBe(false);
  documents.attach("src/a.ts", {
    text: () => "typed",
    equals: (other) => other === "typed",
    replace: () => undefined,
    dropHistory: () => undefined,
    clean: () => undefined,
  });
  documents.typed("src/a.ts");
  expect(leave()).toBe(true);
  client.handles.unsavedFiles?.renamed(projectId, "src", "lib");
  await waitFor(() => expect(client.handles.unsavedFiles?.list(projectId)).toEqual(["lib/a.ts"]));
  expect(documents.textOf("lib/a.ts")).toBe("typed");
  expect(leave()).toBe(true);
});

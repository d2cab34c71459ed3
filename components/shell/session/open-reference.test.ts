// @vitest-environment happy-dom
import { expect, onTestFinished, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import { en } from "../../messages/en";
import { connectClient } from "../frame/test-dom";
import { openReference, toProjectPath } from "./open-reference";

test.each([
  ["src/a.ts", [], "src/a.ts"],
  ["./src/a.ts", [], "src/a.ts"],
  ["/home/me/p/src/a.ts", [], "src/a.ts"],
  ["/home/me/p2/src/a.ts", [], "/home/me/p2/src/a.ts"],
  ["a.ts", [], "a.ts"],
  ["a.ts", ["src/a.ts"], "src/a.ts"],
  ["a.ts", ["src/a.ts", "a.ts"], "a.ts"],
] as const)("%s with the open tabs %j resolves to %s", (written, tabs, expected) =>
  expect(toProjectPath(written, "/home/me/p", tabs)).toBe(expected),
);

test.each([
  ["src/a.ts", [{ path: "src/a.ts", isFolder: false }], "src/a.ts", []],
  ["src", [{ path: "src", isFolder: true }], null, [en.chat.isFolder("src")]],
  ["gone.ts", [], null, [en.chat.noFile("gone.ts")]],
] as const)("the reference %s opens a file that exists", async (written, existing, opened, sentences) => {
  onTestFinished(() => localStorage.clear());
  const projectId = asId<ProjectId>("p1");
  const { client, inputsOf } = await connectClient((name) =>
    name === "files.existing" ? { ok: true, value: { existing } } : undefined,
  );
  client.workbench.showProject(projectId);
  await openReference({ client, messages: en }, written);
  await expect.poll(() => inputsOf("files.existing")).toEqual([{ projectId, paths: [written] }]);
  expect(client.workbench.get().layout.activeTab).toBe(opened);
  expect(client.toasts.get().map(({ text }) => text)).toEqual(sentences);
});

import { expect, test } from "vitest";
import { asId, type Hash } from "@/lib/events/id";
import { openStore } from "../open-store";
import { openTestStore, temporaryHome } from "../__fixtures__/home";

const access = (tool: string, definition: string, source = "github") =>
  ({ kind: "external", source, tool, definition: asId<Hash>(definition) }) as const;

test("an approval holds for one definition in one project, also after a restart", () => {
  const home = temporaryHome();
  const open = () => {
    const opened = openStore({ home, now: () => 1_000 });
    if (!opened.ok) throw new Error(opened.error.code);
    return opened.value;
  };
  const store = open();
  const one = store.projects.open({ path: "/one", name: "one" }, 1);
  const other = store.projects.open({ path: "/other", name: "other" }, 2);
  expect(store.approvedTools.list(one.id)).toEqual(new Map());
  store.approvedTools.approve(one.id, access("create_issue", "v1"), 10);
  store.approvedTools.approve(one.id, access("create_issue", "x", "gitlab"), 20);
  store.approvedTools.approve(one.id, access("create_issue", "v2"), 30);
  const approved = new Map([
    ["github/create_issue", "v2"],
    ["gitlab/create_issue", "x"],
  ]);
  expect(store.approvedTools.list(one.id)).toEqual(approved);
  expect(store.approvedTools.list(other.id)).toEqual(new Map());
  store.close();
  const again = open();
  expect(again.approvedTools.list(one.id)).toEqual(approved);
  again.close();
});

test("a tool counts as used from its first approval on, whatever is approved later", () => {
  const store = openTestStore();
  const { id } = store.projects.open({ path: "/one", name: "one" }, 1);
  store.approvedTools.approve(id, access("create_issue", "v1"), 10);
  store.approvedTools.approve(id, access("create_issue", "v2"), 30);
  store.approvedTools.approve(id, access("search", "v1"), 20);
  expect(store.approvedTools.usedBefore(id, 10)).toEqual(new Set());
  expect(store.approvedTools.usedBefore(id, 11)).toEqual(new Set(["github/create_issue"]));
  expect(store.approvedTools.usedBefore(id, 21)).toEqual(new Set(["github/create_issue", "github/search"]));
});

test("the approvals of a source are deleted in one project, or in all", () => {
  const store = openTestStore();
  const [one, two] = ["/one", "/two"].map((path) => store.projects.open({ path, name: path }, 1).id);
  if (one === undefined || two === undefined) throw new Error("two projects were opened");
  for (const id of [one, two]) store.approvedTools.approve(id, access("search", "v1"), 10);
  store.approvedTools.forget("github", one);
  expect([store.approvedTools.list(one).size, store.approvedTools.list(two).size]).toEqual([0, 1]);
  store.approvedTools.forget("github", null);
  expect(store.approvedTools.list(two).size).toBe(0);
});

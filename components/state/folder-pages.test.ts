import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import type { Folder, FolderPosition } from "@/lib/workspace/project-files";
import { fetchFolder, refreshChangedFolder } from "./folder-pages";

const toFolder = (names: readonly string[], total: number): Folder => ({
  path: "many",
  nodes: names.map((name) => ({
    name,
    path: `many/${name}`,
    kind: name === "sub" ? "folder" : "file",
    ignored: false,
  })),
  total,
});
const namesOf = ({ nodes }: Folder): readonly string[] => nodes.map(({ name }) => name);

test("the pages of a folder are joined; the first one is shown while the others are fetched", async () => {
  const pages = [toFolder(["sub"], 4), toFolder(["a", "b"], 5), toFolder(["c", "d"], 5)];
  const positions: (FolderPosition | undefined)[] = [];
  const shown: Folder[] = [];
  const folder = await fetchFolder(
    async (after) => {
      positions.push(after);
      return pages.shift() ?? toFolder([], 5);
    },
    (first) => shown.push(first),
  );
  expect(positions).toEqual([undefined, { name: "sub", isFolder: true }, { name: "b", isFolder: false }]);
  expect(shown.map(namesOf)).toEqual([["sub"]]);
  expect([namesOf(folder), folder.total]).toEqual([["sub", "a", "b", "c", "d"], 5]);
});

test("entries that were deleted between two pages end the list", async () => {
  const pages = [toFolder(["a"], 2), toFolder([], 1)];
  const folder = await fetchFolder(
    async () => pages.shift() ?? toFolder([], 0),
    () => {},
  );
  expect([namesOf(folder), folder.total]).toEqual([["a"], 1]);
});

test("changes while a folder is fetched cause one more fetch after it", async () => {
  const cache = new QueryClient();
  const queryKey = ["folder", "p", "many"];
  const fetches: (() => void)[] = [];
  const fetched = cache.fetchQuery({
    queryKey,
    queryFn: () => new Promise<Folder>((resolve) => fetches.push(() => resolve(toFolder(["a"], 1)))),
  });
  const refreshes = [refreshChangedFolder(cache, queryKey), refreshChangedFolder(cache, queryKey)];
  expect(fetches).toHaveLength(1);
  fetches[0]?.();
  await fetched;
  await Promise.all(refreshes);
  expect(cache.getQueryState(queryKey)?.isInvalidated).toBe(true);
});

import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import { pinnedFirst } from "./pinned-first";

test("pinned projects come first, in the order of pinning; the others keep their order", () => {
  const project = (id: string, pinnedAt: number | null = null) => ({
    id: asId<ProjectId>(id),
    path: `/${id}`,
    name: id,
    openedAt: 0,
    pinnedAt,
  });
  const listed = [project("a"), project("b", 20), project("c"), project("d", 10)];
  expect(pinnedFirst(listed).map(({ id }) => id)).toEqual(["d", "b", "a", "c"]);
});

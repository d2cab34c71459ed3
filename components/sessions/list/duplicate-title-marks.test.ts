import { expect, test } from "vitest";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import { en } from "../../messages/en";
import { duplicateTitleMarks } from "./duplicate-title-marks";

const { figures } = en;
const at = (text: string): number => new Date(text).getTime();
const row = (id: string, title: string, begun: string, project = "alpha") => ({
  id: asId<SessionId>(id),
  projectId: asId<ProjectId>(project),
  title,
  createdAt: at(begun),
});
type Row = ReturnType<typeof row>;
const marks = (rows: readonly Row[], hasProjects = true): Readonly<Record<string, string>> =>
  Object.fromEntries(
    duplicateTitleMarks(rows, { figures, projectName: hasProjects ? ({ projectId }) => projectId : null }),
  );

test.each<readonly [what: string, rows: readonly Row[], marks: Readonly<Record<string, string>>]>([
  ["unique titles need no mark", [row("a", "One", "2026-05-01T10:00"), row("b", "Two", "2026-05-01T10:00")], {}],
  [
    "on one day the time of day distinguishes them",
    [row("a", "Fix", "2026-05-01T10:00:03"), row("b", "Fix", "2026-05-01T14:32")],
    { a: "10:00", b: "14:32" },
  ],
  [
    "within one minute the seconds are included",
    [row("a", "Fix", "2026-05-01T10:00:03"), row("b", "Fix", "2026-05-01T10:00:40")],
    { a: "10:00:03", b: "10:00:40" },
  ],
  [
    "within one second the later one gets a number, whatever the list order",
    [row("b", "Fix", "2026-05-01T10:00:03.900"), row("a", "Fix", "2026-05-01T10:00:03.100")],
    { a: "10:00:03", b: "10:00:03 (2)" },
  ],
  [
    "on several days the day is included",
    [row("a", "Fix", "2026-05-01T10:00"), row("b", "Fix", "2026-05-02T10:00")],
    { a: "1 May, 10:00", b: "2 May, 10:00" },
  ],
  [
    "different projects distinguish them",
    [row("a", "Fix", "2026-05-01T10:00"), row("b", "Fix", "2026-05-01T10:00", "beta")],
    { a: "alpha", b: "beta" },
  ],
  [
    "project and time if two are in one project",
    [
      row("a", "Fix", "2026-05-01T10:00"),
      row("b", "Fix", "2026-05-01T11:00"),
      row("c", "Fix", "2026-05-01T12:00", "beta"),
    ],
    { a: "alpha \u00b7 10:00", b: "alpha \u00b7 11:00", c: "beta" },
  ],
])("%s", (_what, rows, expected) => {
  expect(marks(rows)).toEqual(expected);
});

test("a list that shows the project uses the time only", () => {
  expect(marks([row("a", "Fix", "2026-05-01T10:00"), row("b", "Fix", "2026-05-01T11:00", "beta")], false)).toEqual({
    a: "10:00",
    b: "11:00",
  });
});

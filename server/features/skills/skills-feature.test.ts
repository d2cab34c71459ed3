/** The commands of skills: the list, the text of one, the switch that is stored, the folders that tools may read. */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ok } from "@/lib/events/error";
import { asId, type ProjectId } from "@/lib/events/id";
import type { SkillsState } from "@/lib/tools/skills";
import { shippedSkillsFolder } from "@/server/prompts/prompts";
import { skillsFeature } from "./skills-feature";
import { makeTestFolder, skillFile, writeSkill, writeTestFile } from "./test-skills";

const projectId = asId<ProjectId>("p");

function makeRig() {
  const userHome = makeTestFolder();
  const [home, root] = [join(userHome, ".gopi"), join(userHome, "shop")];
  for (const path of [home, root]) mkdirSync(path);
  const open = () =>
    skillsFeature({
      home,
      environment: { HOME: userHome, NODE_ENV: "test" },
      projects: Object.assign(Object.create(null), {
        get: async () => ok({ root, trusted: () => true }),
        peek: () => undefined,
      }),
    });
  return { userHome, home, root, open };
}

/** Status of each skill that is not part of the program. */
const ownStatuses = ({ places }: SkillsState): readonly string[] =>
  places.flatMap(({ kind, skills }) => (kind === "shipped" ? [] : skills.map(({ status }) => status)));

test("the list has every place in its order, with the tokens of each skill", async () => {
  const { home, root, open } = makeRig();
  writeSkill(join(home, "skills"), "pdf", "Fills in forms. Use it for PDF files.", "word ".repeat(400));
  const { commands } = open();
  const listed = await commands["skills.list"]({ projectId });
  expect(listed).toMatchObject({
    ok: true,
    value: {
      isTrusted: true,
      places: [
        { kind: "project", path: join(root, ".gopi/skills"), exists: false, skills: [] },
        { kind: "project", exists: false },
        { kind: "project", exists: false },
        { kind: "project", exists: false },
        { kind: "data", exists: true, skills: [{ name: "pdf", status: "on", isManual: false, warnings: [] }] },
        { kind: "home", exists: false },
        { kind: "home", exists: false },
        { kind: "home", exists: false },
        {
          kind: "shipped",
          // Only the user puts them into use: they take no tokens of a session without them.
          skills: ["release-notes", "review-change", "summarize-page"].map((name) => ({
            name,
            status: "on",
            isManual: true,
            warnings: [],
          })),
        },
      ],
    },
  });
  const [skill] = listed.ok ? listed.value.places.flatMap(({ skills }) => skills) : [];
  expect(skill?.lineTokens).toBeLessThan(20);
  expect(skill?.textTokens).toBeGreaterThan(300);
});

test("the text of a skill is read as it is, also of one that cannot be used, with its files", async () => {
  const { home, open } = makeRig();
  const broken = join(home, "skills/broken");
  writeTestFile(join(broken, "SKILL.md"), "<b>no frontmatter</b>\u200B");
  writeTestFile(join(broken, "a/b.txt"), "");
  const { commands } = open();
  expect(await commands["skills.read"]({ projectId, folder: broken })).toEqual({
    ok: true,
    value: { text: "<b>no frontmatter</b>\u200B", files: ["a/b.txt"], moreFiles: 0 },
  });
  expect(await commands["skills.read"]({ projectId, folder: home })).toMatchObject({ error: { code: "not_found" } });
  writeFileSync(join(broken, "SKILL.md"), new Uint8Array([0]));
  expect(await commands["skills.read"]({ projectId, folder: broken })).toMatchObject({ error: { code: "binary" } });
});

test("a skill that was switched off stays off in the next process, and can be switched on", async () => {
  const { home, open } = makeRig();
  const folder = writeSkill(join(home, "skills"), "pdf", "a");
  const status = async ({ commands }: ReturnType<typeof open>) => {
    const listed = await commands["skills.list"]({ projectId });
    return listed.ok ? ownStatuses(listed.value) : [];
  };
  const first = open();
  await first.commands["skills.set"]({ projectId, folder, isOff: true });
  expect(await status(first)).toEqual(["off"]);
  const next = open();
  expect(await status(next)).toEqual(["off"]);
  await next.commands["skills.set"]({ projectId, folder, isOff: false });
  expect(await status(next)).toEqual(["on"]);
  expect(JSON.parse(readFileSync(join(home, "skills.json"), "utf8"))).toEqual({ off: [] });
});

test("a file of switches that cannot be read has none", async () => {
  const { home, open } = makeRig();
  writeSkill(join(home, "skills"), "pdf", "a");
  writeFileSync(join(home, "skills.json"), "{");
  expect(await open().commands["skills.list"]({ projectId })).toMatchObject({ ok: true });
});

test("tools may read the folders of skills of the program and the user", async () => {
  const { userHome, home, root, open } = makeRig();
  writeTestFile(join(home, "skills/pdf/SKILL.md"), skillFile("pdf", "a"));
  writeSkill(join(userHome, ".claude/skills"), "notes", "a");
  writeSkill(join(root, ".gopi/skills"), "own", "a");
  const feature = open();
  expect(feature.readRoots).toEqual([]);
  await feature.commands["skills.list"]({ projectId });
  expect(feature.readRoots).toEqual([join(home, "skills"), join(userHome, ".claude/skills"), shippedSkillsFolder()]);
});

test.each(["a cut file", "a folder"])("while skills.json is %s, no skill is on, and it stays", async (found) => {
  const { home, open } = makeRig();
  const [one, two] = ["one", "two"].map((name) => writeSkill(join(home, "skills"), name, "a"));
  if (one === undefined || two === undefined) throw new Error("no skills");
  const path = join(home, "skills.json");
  const text = '{"off":[7,"/gone"';
  if (found === "a folder") mkdirSync(path);
  else writeFileSync(path, text);
  const { commands } = open();
  const list = async () => {
    const listed = await commands["skills.list"]({ projectId });
    if (!listed.ok) throw new Error(listed.error.code);
    return listed.value;
  };
  const statuses = async () => ownStatuses(await list());
  expect((await list()).problem).toMatchObject({ code: "unreadable_file", facts: { path } });
  expect(await statuses()).toEqual(["off", "off"]);
  const refused = { error: { code: "unreadable_file" } };
  expect(await commands["skills.set"]({ projectId, folder: one, isOff: false })).toMatchObject(refused);
  if (found === "a folder") rmdirSync(path);
  else expect(readFileSync(path, "utf8")).toBe(text);
  // An entry of another form costs nothing, and stays.
  writeFileSync(path, JSON.stringify({ off: [7, one] }));
  expect((await list()).problem).toBeUndefined();
  expect(await statuses()).toEqual(["off", "on"]);
  await commands["skills.set"]({ projectId, folder: two, isOff: true });
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ off: [7, one, two] });
});

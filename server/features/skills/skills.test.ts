/** Skills in real folders: where they are found, which one a name means, and what changes on disk do. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ok } from "@/lib/events/error";
import { asId, type ProjectId } from "@/lib/events/id";
import { makePrepareCatalogue } from "@/server/tools/toolbox/make-catalogue";
import { findSkills } from "./find-skills";
import { defaultLookups } from "./read-places";
import { makeSkillSource } from "./skills-feature";
import { makeSkills, type ProjectSkills } from "./skills";
import { makeTestFolder, skillFile, writeSkill, writeTestFile } from "./test-skills";

const projectId = asId<ProjectId>("p");
const never = new AbortController().signal;

/** A busy machine may be slower than the limits in use; only the tests of folders that do not answer have limits. */
const patientLookups = { ...defaultLookups, pathMs: 60_000, contentMs: 60_000 };

function makeRig(lookups = patientLookups, environment: NodeJS.Dict<string> = {}) {
  const userHome = makeTestFolder();
  const [home, root] = [join(userHome, ".gopi"), join(userHome, "shop")];
  for (const path of [home, root]) mkdirSync(path);
  const state = { isTrusted: true, off: new Set<string>() };
  const skills = makeSkills({
    home,
    userHome,
    environment,
    shippedFolder: join(userHome, "shipped"),
    // Only these members of a project are used.
    projects: { get: async () => ok(Object.assign(Object.create(null), { root, trusted: () => state.isTrusted })) },
    readSwitchedOff: () => ({ problem: null, has: (folder) => state.off.has(folder) }),
    stop: never,
    lookups,
  });
  const read = async (): Promise<ProjectSkills> => {
    const found = await skills.refresh(projectId, never);
    if (!found.ok) throw new Error(found.error.code);
    return found.value;
  };
  return { userHome, home, root, state, skills, read };
}

/** `status name` of each skill, in the order of the places. */
const summary = ({ places }: ProjectSkills): readonly string[] =>
  places.flatMap(({ skills }) => skills.map(({ status, name }) => `${status} ${name}`));
const warningsOf = ({ places }: ProjectSkills) => places.flatMap(({ warnings }) => warnings);

test("skills are found in the folders of the project, of the program's home, of the user and of the program, in this order", async () => {
  const { userHome, home, root, read } = makeRig();
  const folders = [
    join(root, ".gopi/skills"),
    join(root, ".agents/skills"),
    join(root, ".claude/skills"),
    join(root, ".ollama/skills"),
    join(home, "skills"),
    join(userHome, ".agents/skills"),
    join(userHome, ".claude/skills"),
    join(userHome, ".ollama/skills"),
    join(userHome, "shipped"),
  ];
  const kinds = ["project", "project", "project", "project", "data", "home", "home", "home", "shipped"];
  for (const [index, folder] of folders.toReversed().entries()) writeSkill(folder, `skill-${index}`, "a");
  const { places } = await read();
  expect(places.map(({ kind, path, skills }) => [kind, path, skills.length])).toEqual(
    folders.map((path, index) => [kinds[index], path, 1]),
  );
});

test.each([
  ["OLLAMA_SKILLS", "/srv/skills", "/srv/skills"],
  ["XDG_CONFIG_HOME", "/srv/config", "/srv/config/ollama/skills"],
])("skills of Ollama's agent are read where %s puts them", async (name, value, path) => {
  const { read } = makeRig(patientLookups, { [name]: value });
  const { places } = await read();
  expect(places.filter(({ kind }) => kind === "home").at(-1)).toMatchObject({ path });
});

test("the first skill of a name is used; the others are shadowed by it, until it is switched off", async () => {
  const { userHome, home, root, state, read } = makeRig();
  const own = writeSkill(join(root, ".agents/skills"), "pdf", "of the project");
  writeSkill(join(home, "skills"), "pdf", "of the program");
  writeSkill(join(userHome, ".claude/skills"), "pdf", "of the user");
  const before = await read();
  expect(summary(before)).toEqual(["on pdf", "shadowed pdf", "shadowed pdf"]);
  expect(before.places.flatMap(({ skills }) => skills)[1]?.shadowedBy).toBe(own);
  state.off.add(own);
  expect(summary(await read())).toEqual(["off pdf", "on pdf", "shadowed pdf"]);
});

test("of two skills of one name in one folder the first path is used, and the other has a warning", async () => {
  const { home, read } = makeRig();
  const first = writeSkill(join(home, "skills"), "a", "a");
  writeTestFile(join(home, "skills/b/SKILL.md"), skillFile("a", "b"));
  const { places } = await read();
  expect(places.flatMap(({ skills }) => skills.map(({ status }) => status))).toEqual(["on", "shadowed"]);
  expect(places.flatMap(({ skills }) => skills)[1]?.warnings).toContainEqual({ kind: "same_name", detail: first });
});

test("an unusable skill shadows none", async () => {
  const { home, root, read } = makeRig();
  writeTestFile(join(root, ".gopi/skills/pdf/SKILL.md"), "no frontmatter");
  writeSkill(join(home, "skills"), "pdf", "a");
  expect(summary(await read())).toEqual(["unusable pdf", "on pdf"]);
});

test("in a project that is not trusted its folders are not read, and a skill of it is gone at once", async () => {
  const { home, root, state, skills, read } = makeRig();
  writeSkill(join(root, ".gopi/skills"), "pdf", "a");
  writeSkill(join(home, "skills"), "notes", "a");
  const [skill] = (await read()).places.flatMap((place) => place.skills);
  if (skill === undefined) throw new Error("no skill");
  expect((await skills.read(projectId, skill)).ok).toBe(true);
  state.isTrusted = false;
  expect(await skills.read(projectId, skill)).toMatchObject({ ok: false, error: { code: "gone" } });
  const after = await read();
  expect(after.isTrusted).toBe(false);
  expect(after.places[0]).toMatchObject({ kind: "project", root: join(root, ".gopi/skills"), skills: [] });
  expect(summary(after)).toEqual(["on notes"]);
});

test("changes on disk are picked up: a new, a changed and a removed skill; without a change nothing changes", async () => {
  const { home, skills, read } = makeRig();
  expect(summary(await read())).toEqual([]);
  const folder = writeSkill(join(home, "skills"), "pdf", "a");
  const added = await read();
  expect(summary(added)).toEqual(["on pdf"]);
  expect(await read()).toBe(added);
  expect(skills.peek(projectId)).toBe(added);
  writeFileSync(join(folder, "SKILL.md"), skillFile("pdf", "Other words."));
  expect((await read()).places.flatMap((place) => place.skills)[0]?.description).toBe("Other words.");
  rmSync(folder, { recursive: true });
  expect(summary(await read())).toEqual([]);
});

test("links that lead out are not followed and reported; links to another folder of skills are found there", async () => {
  const { userHome, home, root, read } = makeRig();
  const outside = writeSkill(join(userHome, "elsewhere"), "stolen", "a");
  const shared = writeSkill(join(userHome, ".agents/skills"), "shared", "a");
  mkdirSync(join(home, "skills/half"), { recursive: true });
  mkdirSync(join(userHome, ".claude/skills"), { recursive: true });
  symlinkSync(outside, join(home, "skills/stolen"));
  symlinkSync(join(outside, "SKILL.md"), join(home, "skills/half/SKILL.md"));
  symlinkSync(join(userHome, "nowhere"), join(home, "skills/broken"));
  symlinkSync(shared, join(userHome, ".claude/skills/shared"));
  mkdirSync(join(root, ".claude"));
  symlinkSync(join(userHome, "elsewhere"), join(root, ".claude/skills"));
  const found = await read();
  expect(summary(found)).toEqual(["on shared"]);
  expect(warningsOf(found).map(({ kind, path }) => [kind, path])).toEqual([
    ["link", join(root, ".claude/skills")],
    ["link", join(home, "skills/broken")],
    ["link", join(home, "skills/half/SKILL.md")],
    ["link", join(home, "skills/stolen")],
  ]);
});

test("the user's folder of skills may be a link itself", async () => {
  const { userHome, read } = makeRig();
  writeSkill(join(userHome, "dotfiles/skills"), "pdf", "a");
  mkdirSync(join(userHome, ".claude"));
  symlinkSync(join(userHome, "dotfiles/skills"), join(userHome, ".claude/skills"));
  expect(summary(await read())).toEqual(["on pdf"]);
});

test("folders are searched four levels deep, and links in a circle have no end to follow", async () => {
  const { home, read } = makeRig();
  const place = join(home, "skills");
  writeSkill(join(place, "1/2/3"), "deep", "a");
  writeSkill(join(place, "1/2/3/4"), "deeper", "a");
  symlinkSync(place, join(place, "1/again"));
  const found = await read();
  expect(summary(found)).toEqual(["on deep"]);
  expect(warningsOf(found)).toEqual([{ kind: "too_deep", path: join(place, "1/2/3/4/deeper"), limit: 4 }]);
});

test("a SKILL.md without a folder of its own, and folders that cannot be read, are reported", async () => {
  const { home, read } = makeRig();
  const place = join(home, "skills");
  writeTestFile(join(place, "SKILL.md"), skillFile("skills", "a"));
  const locked = join(place, "locked");
  mkdirSync(locked);
  chmodSync(locked, 0);
  const found = await read();
  chmodSync(locked, 0o700);
  expect(summary(found)).toEqual([]);
  const kinds = warningsOf(found).map(({ kind }) => kind);
  // A process of root may read every folder.
  expect(kinds).toEqual(process.getuid?.() === 0 ? ["loose_file"] : ["loose_file", "unreadable_folder"]);
});

test("a file skill.md counts, with a warning", async () => {
  const { home, read } = makeRig();
  writeTestFile(join(home, "skills/pdf/skill.md"), skillFile("pdf", "a"));
  const { places } = await read();
  expect(places.flatMap(({ skills }) => skills)).toMatchObject([
    { status: "on", warnings: [{ kind: "file_name", detail: "skill.md" }] },
  ]);
});

test("at most 200 skills of all folders are used, those of the project first", async () => {
  const { home, root, read } = makeRig();
  for (let index = 0; index < 150; index += 1) {
    writeSkill(join(root, ".gopi/skills"), `own-${index}`, "a");
    writeSkill(join(home, "skills"), `home-${index}`, "a");
  }
  const found = await read();
  expect(summary(found)).toHaveLength(200);
  expect(summary(found).filter((line) => line.startsWith("on own"))).toHaveLength(150);
  expect(warningsOf(found)).toMatchObject([{ kind: "too_many_skills", limit: 200 }]);
});

test.each(["link", "content"] as const)(
  "a folder whose %s does not answer leaves out its own skills alone",
  async (part) => {
    const silent = { until: Promise.resolve() };
    const gate = makeGate();
    let lookups = 0;
    const { userHome, home, read } = makeRig({
      // A folder that answers is in time.
      pathMs: part === "link" ? 500 : 5_000,
      contentMs: 500,
      async realpath(path) {
        if (part === "link" && path.endsWith(".agents/skills")) await silent.until;
        return realpath(path);
      },
      async find(path, ...others) {
        if (path === join(userHome, ".agents/skills")) {
          lookups += 1;
          if (part === "content") await silent.until;
        }
        return findSkills(path, ...others);
      },
    });
    const place = join(userHome, ".agents/skills");
    writeSkill(place, "pdf", "Fills in forms");
    writeSkill(join(home, "skills"), "csv", "Reads tables");
    expect(summary(await read())).toEqual(["on csv", "on pdf"]);

    silent.until = gate.open;
    const before = lookups;
    for (let round = 0; round < 3; round += 1) {
      const found = await read();
      expect(summary(found)).toEqual(["on csv"]);
      expect(warningsOf(found)).toContainEqual({ kind: "no_answer", path: place, limit: 0.5 });
    }
    // There is no further attempt before it answers.
    expect(lookups - before).toBe(part === "link" ? 0 : 1);

    gate.release();
    await expect.poll(async () => summary(await read())).toEqual(["on csv", "on pdf"]);
    expect(warningsOf(await read())).toEqual([]);
  },
);

test("folders that do not answer leave the skills of the others to a session, within the limits in use", async () => {
  const { userHome, home, skills } = makeRig({
    ...defaultLookups,
    realpath: (path) => (path.endsWith(".agents/skills") ? new Promise(() => {}) : realpath(path)),
    find: (path, ...others) =>
      path === join(userHome, ".claude/skills") ? new Promise(() => {}) : findSkills(path, ...others),
  });
  for (const folder of [".agents/skills", ".claude/skills"])
    writeSkill(join(userHome, folder), "pdf", "Fills in forms");
  writeSkill(join(home, "skills"), "csv", "Reads tables");
  const logged: string[] = [];
  const source = makeSkillSource(skills);
  await makePrepareCatalogue((line) => void logged.push(line))([source], projectId);
  expect(logged).toEqual([]);
  expect(source.tools(projectId).map(({ name }) => name)).toEqual(["skill:csv"]);
});

function makeGate() {
  let release = (): void => {};
  const open = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { open, release: () => release() };
}

/**
 * The snapshot of realistic projects at the windows of small models. The bound itself is a property in parts.test.ts.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { ProjectSummary } from "@/server/workspace/projects/project-summary";
import { makeProjects } from "@/server/workspace/projects/projects";
import { asId, type ProjectId } from "@/lib/events/id";
import { renderSnapshot } from "./snapshot";
import { fitTree } from "./fit-tree";
import { snapshotShare } from "./context-budget";

const guideLines = Array.from(
  { length: 400 },
  (_, line) => `Rule ${line + 1}: keep every function short and named well.`,
);

let folder = "";
let summary: ProjectSummary;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "gopi-snapshot-")));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (let index = 1; index <= 75; index += 1) write(`assets/icon-${index}.svg`, "<svg/>");
  for (const layer of ["agent", "session", "store", "tools"])
    for (let index = 0; index < 12; index += 1) write(`server/${layer}/part-${index}.ts`, "export const x = 1;\n");
  write("a/b/c/d/e/f/too-deep.txt", "x");
  write("zebra.ts", "export {};\n");
  write(".gitignore", "dist\n");
  write("dist/bundle.js", "x");
  write("AGENTS.md", guideLines.join("\n"));
  const id = asId<ProjectId>("p1");
  const projects = makeProjects({
    record: ({ path, name }) => ({ id, path, name, openedAt: 0 }),
    find: () => undefined,
    protectedNames: () => [],
    push: () => {},
  });
  const opened = await projects.open(folder);
  if (!opened.ok) throw new Error(opened.error.code);
  await opened.value.refresh();
  const found = opened.value.summary();
  if (found === null) throw new Error("no summary");
  summary = found;
  await projects.dispose();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const renderAt = (window: number): string =>
  renderSnapshot(
    { root: "/home/me/project", platform: "linux 6.1", date: "2026-11-22", ...summary },
    Math.floor(window * snapshotShare),
  );
const treeIn = (text: string): string => /Files:\n([\s\S]*?)(?:\n\n|$)/.exec(text)?.[1] ?? "";

describe("project snapshot", () => {
  test("lists five levels and fifty entries per folder, counts the rest and omits ignored files", () => {
    expect(summary.tree).toContain("... (25 more files)");
    expect(summary.tree).toContain("        e/");
    expect(summary.tree).not.toMatch(/too-deep|dist/);
  });

  test.each([4_096, 8_192, 32_768])(
    "at a window of %i: every top-level entry, a tree of about 500 tokens at most",
    (window) => {
      const text = renderAt(window);
      expect(estimateTokens(text)).toBeLessThanOrEqual(window / 8);
      const tree = treeIn(text);
      expect(estimateTokens(tree)).toBeLessThanOrEqual(500);
      const top = tree.split("\n").filter((line) => !line.startsWith(" "));
      expect(top.map((line) => line.split(" ")[0])).toEqual([
        "a/",
        "assets/",
        "server/",
        ".gitignore",
        "AGENTS.md",
        "zebra.ts",
      ]);
      expect(tree).toMatch(/\.\.\. \(\d+ more files\)/);
      expect(text).toContain("Project folder: /home/me/project");
    },
  );

  test("the tree shrinks with the window and counts omitted entries correctly", () => {
    const trees = [4_096, 8_192, 32_768].map((window) => treeIn(renderAt(window)));
    const sizes = trees.map((text) => estimateTokens(text));
    expect(sizes[0]).toBeLessThan(sizes[1] ?? 0);
    for (const tree of trees) {
      const icons = tree.split("\n").filter((line) => line.includes("icon-")).length;
      const rest = Number(/icon-\S+ \(\d+ B\)\n {2}\.\.\. \((\d+) more files\)/.exec(tree)?.[1] ?? 75);
      expect(icons + rest).toBe(75);
    }
  });

  test.each([4_096, 8_192, 32_768])(
    "at a window of %i the guide names the line at which it was cut, and the text before is complete",
    (window) => {
      const text = renderAt(window);
      const guide = text.slice(text.indexOf("AGENTS.md:\n") + "AGENTS.md:\n".length);
      const cut = /\n\[AGENTS\.md is cut here, after line (\d+) of 400: read it for the rest\]$/.exec(guide);
      if (cut === null) {
        expect(guide).toBe(guideLines.join("\n"));
        return;
      }
      expect(guide.slice(0, cut.index)).toBe(guideLines.slice(0, Number(cut[1])).join("\n"));
      expect(Number(cut[1])).toBeGreaterThan(5);
    },
  );

  test("a guide that fits is complete, a README is cut, a guide of one endless line is only named", () => {
    const facts = { root: "/p", platform: "linux", date: "2026-11-22", branch: "main", tree: "a.ts" };
    const renderGuide = (name: string, text: string): string =>
      renderSnapshot({ ...facts, guide: { name, text } }, 4_096);
    expect(renderGuide("AGENTS.md", guideLines.slice(0, 150).join("\n"))).toContain(
      guideLines.slice(0, 150).join("\n"),
    );
    const readme = renderGuide("README.md", guideLines.slice(0, 150).join("\n"));
    expect(readme).toContain("[README.md is cut here, after line");
    expect(estimateTokens(readme)).toBeLessThan(1_100);
    expect(renderGuide("AGENTS.md", "endless ".repeat(20_000))).toMatch(
      /AGENTS\.md is too long to be shown here: read it\.$/,
    );
    expect(renderSnapshot({ ...facts, tree: "", guide: null }, 512)).toBe(
      "Project folder: /p\nSystem: linux\nDate: 2026-11-22\nGit branch: main",
    );
  });
});

describe("README and configuration", () => {
  const facts = { root: "/p", platform: "linux", date: "2026-11-22", branch: null, tree: "a.ts" };
  const extras = [
    { name: "README.md", text: guideLines.slice(0, 150).join("\n") },
    { name: "package.json", text: '{ "name": "p" }' },
  ];

  test("follow the guide, a long one cut to its share", () => {
    const text = renderSnapshot({ ...facts, guide: { name: "AGENTS.md", text: "Be brief." }, extras }, 4_096);
    expect(text).toMatch(/AGENTS\.md:\nBe brief\.\n\nREADME\.md:\nRule 1[^]*\[README\.md is cut here/);
    expect(text.endsWith('package.json:\n{ "name": "p" }')).toBe(true);
  });

  test("take only what the guide leaves", () => {
    const guide = { name: "AGENTS.md", text: guideLines.slice(0, 60).join("\n") };
    fc.assert(
      fc.property(fc.integer({ min: 64, max: 3_000 }), (maxTokens) => {
        const text = renderSnapshot({ ...facts, guide, extras }, maxTokens);
        const without = renderSnapshot({ ...facts, guide }, maxTokens);
        expect(text.startsWith(without)).toBe(true);
        if (text !== without) expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
      }),
    );
  });
});

describe("a tree cut to tokens", () => {
  const name = fc.stringMatching(/^[a-z]{1,12}$/);
  const { tree } = fc.letrec<{ tree: readonly string[] }>((tie) => ({
    tree: fc
      .array(fc.tuple(name, fc.oneof({ maxDepth: 4 }, fc.constant(null), tie("tree"))), { maxLength: 30 })
      .map((entries) =>
        entries.flatMap(([own, below]) =>
          below === null ? [`${own}.ts (12 B)`] : [`${own}/`, ...below.map((line) => `  ${line}`)],
        ),
      ),
  }));

  test("stays within them, in the original order, and reports all omissions", () => {
    fc.assert(
      fc.property(tree, fc.integer({ min: 0, max: 600 }), (drawn, maxTokens) => {
        const whole = drawn.join("\n");
        const fitted = fitTree(whole, maxTokens);
        if (estimateTokens(whole) <= maxTokens) {
          expect(fitted).toBe(whole);
          return;
        }
        expect(estimateTokens(fitted)).toBeLessThanOrEqual(maxTokens);
        const shown = fitted.split("\n").filter((line) => line !== "" && !line.trimStart().startsWith("..."));
        let next = 0;
        for (const line of shown) {
          next = drawn.indexOf(line, next) + 1;
          expect(next).toBeGreaterThan(0);
        }
        const top = drawn.filter((line) => !line.startsWith(" ")).length;
        const topShown = shown.filter((line) => !line.startsWith(" ")).length;
        const rest = fitted.split("\n").find((line) => line.startsWith("...")) ?? "";
        const counted = [...rest.matchAll(/(\d+) more/g)].reduce((sum, [, count]) => sum + Number(count), 0);
        if (fitted !== "") expect(topShown + counted).toBe(top);
      }),
      { numRuns: 300 },
    );
  });

  test("one crowded folder does not hide the others", () => {
    const crowded = [
      "aaa/",
      ...Array.from({ length: 50 }, (_, index) => `  file-${index}.ts (1 KB)`),
      "bbb/",
      "  b.ts (1 KB)",
      "c.ts (1 KB)",
    ];
    const fitted = fitTree(crowded.join("\n"), 120);
    expect(fitted).toContain("bbb/\n  b.ts (1 KB)\nc.ts (1 KB)");
    expect(fitted).toMatch(/file-0\.ts[\s\S]*\.\.\. \(\d\d more files\)\nbbb/);
  });

  test("keeps names that begin with spaces", () => {
    const names = [" one.ts", "   three.ts", "\ttab.ts", "a.ts"];
    const many = [...names, "b/", ...Array.from({ length: 200 }, (_, index) => `  file-${index}.ts`)];
    expect(fitTree(many.join("\n"), 200).split("\n").slice(0, 5)).toEqual([...names, "b/"]);
    expect(fitTree(["b/", "   odd.ts", ...many].join("\n"), 200)).toContain("b/\n   odd.ts");
  });
});

/** Formats texts with programs of a real project. */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { asId, type ClientId, type ProjectId } from "@/lib/events/id";
import type { CommandClient } from "@/server/handlers/handlers";
import { makeTestProject, type TestProject } from "@/server/workspace/__fixtures__/project";
import { makeProjects } from "@/server/workspace/projects/projects";
import { formatFeature } from "./format-feature";

const projectId = asId<ProjectId>("p1");
let project: TestProject;
let trustedAt: number | null;
let feature: ReturnType<typeof formatFeature>;
let close: () => void;

beforeEach(() => {
  project = makeTestProject();
  trustedAt = 1;
  const row = () => ({ id: projectId, path: project.root, name: "p", openedAt: 0, trustedAt });
  const projects = makeProjects({ record: row, find: row, protectedNames: () => [], push: () => {} });
  close = () => projects.dispose();
  feature = formatFeature({ projects, environment: { ...process.env, SERVICE_TOKEN: "secret" } });
});
afterEach(() => {
  close();
  project.remove();
});

const client = (disconnected?: AbortSignal): CommandClient => ({
  id: asId<ClientId>("c1"),
  access: "owner",
  disconnected,
  join: () => {},
  leave: () => {},
});

const format = (path: string, text: string, by = client()) =>
  feature.commands["files.format"]({ projectId, path, text }, by);

/** Installs a shell script as the project's Prettier. */
function installPrettier(script: string): void {
  project.put("node_modules/.bin/prettier", `#!/bin/sh\n${script}\n`);
  chmodSync(project.at("node_modules/.bin/prettier"), 0o755);
}

describe("formatting a text", () => {
  it("uses Biome of the project with its configuration, and writes nothing", async () => {
    const program = project.at("node_modules/.bin/biome");
    mkdirSync(dirname(program), { recursive: true });
    symlinkSync(resolve("node_modules/.bin/biome"), program);
    project.put("biome.json", JSON.stringify({ formatter: { indentStyle: "space", indentWidth: 3 } }));
    project.put("src/a.ts", "unchanged");
    const answer = await format("src/a.ts", "if(a){b( '漢' )}\n");
    expect(answer).toEqual({ ok: true, value: { text: 'if (a) {\n   b("漢");\n}\n', formatter: "biome" } });
    expect(readFileSync(project.at("src/a.ts"), "utf8")).toBe("unchanged");
  });

  it("passes the text and the path of the file, and no secrets of the environment", async () => {
    installPrettier('echo "$1 $2 [$SERVICE_TOKEN] $PWD"; cat');
    const answer = await format("src/new.ts", "a\r\nb");
    const expected = `--stdin-filepath ${project.root}/src/new.ts [] ${project.root}\na\r\nb`;
    expect(answer).toEqual({ ok: true, value: { text: expected, formatter: "prettier" } });
  });

  it("of an empty text is the empty text", async () => {
    installPrettier("cat");
    expect(await format("a.ts", "")).toEqual({ ok: true, value: { text: "", formatter: "prettier" } });
  });
});

describe("a text is not formatted", () => {
  it.each([
    {
      name: "the formatter exits with an error",
      script: "echo 'a.ts: SyntaxError (1:3)' >&2; exit 2",
      error: { code: "format_failed", detail: "a.ts: SyntaxError (1:3)", facts: { name: "prettier" } },
    },
    {
      name: "the formatter prints nothing",
      script: "exit 0",
      error: { code: "format_failed", detail: "", facts: { name: "prettier" } },
    },
    {
      name: "the formatter prints without end",
      script: "yes",
      error: { code: "too_large", facts: { name: "prettier" } },
    },
  ])("when $name", async ({ script, error }) => {
    installPrettier(script);
    expect(await format("a.ts", "a")).toEqual({ ok: false, error });
  });

  it("when the client disconnects: the program is ended", async () => {
    installPrettier("sleep 600");
    const gone = new AbortController();
    const answer = format("a.ts", "a", client(gone.signal));
    gone.abort();
    expect(await answer).toMatchObject({ ok: false, error: { code: "aborted" } });
  });

  it("in a folder that is not trusted: nothing runs", async () => {
    installPrettier("touch started; cat");
    trustedAt = null;
    expect(await format("a.ts", "a")).toMatchObject({ ok: false, error: { code: "untrusted" } });
    expect(existsSync(project.at("started"))).toBe(false);
  });

  it("without a formatter, and outside of the project", async () => {
    expect(await format("a.unknown", "a")).toMatchObject({
      error: { code: "no_formatter", facts: { extension: ".unknown" } },
    });
    expect(await format("../a.ts", "a")).toMatchObject({ error: { code: "outside" } });
  });
});

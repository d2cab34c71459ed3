// The table of rooms in architecture.md against the one that lint enforces, and the names the documents mention.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { isCommandName } from "@/lib/protocol/command";

const root = fileURLToPath(new URL("..", import.meta.url));
const rooms = z.object({
  mayImport: z.record(z.string(), z.record(z.string(), z.union([z.literal(true), z.string()]))),
});

const documents = [
  "README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
];
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

describe("docs/architecture.md", () => {
  it("gives each room the imports that lint gives it", async () => {
    const enforced: unknown = await import(new URL("../scripts/lint/layer-table.mjs", import.meta.url).href);
    const documented = Object.fromEntries(
      textOf("docs/architecture.md")
        .split("\n")
        .flatMap((line) => {
          const [, room, , allowed] = /^\| `([^`]+)` \|([^|]*)\|([^|]*)\|$/.exec(line) ?? [];
          if (room === undefined || allowed === undefined) return [];
          const names = [...allowed.matchAll(/`([^`]+)`( \(types\))?/g)];
          return [
            [room, Object.fromEntries(names.map(([, name, types]) => [name, types === undefined ? true : "types"]))],
          ];
        }),
    );
    expect(documented).toEqual(rooms.parse(enforced).mayImport);
  });

  it("has no more than 250 lines", () => {
    expect(textOf("docs/architecture.md").split("\n").length).toBeLessThanOrEqual(250);
  });
});

describe.each(documents)("%s", (file) => {
  it("mentions only commands that exist", () => {
    const named = [...textOf(file).matchAll(/`((?:session|files|models|project|rules)\.[a-z_]+)\b(?!\.)/g)];
    const names = named.map(([, name]) => name ?? "").filter((name) => !/\.(?:ts|tsx|md|yaml)$/.test(name));
    expect(names.filter((name) => !isCommandName(name))).toEqual([]);
  });

  it("links only to files that exist", () => {
    const links = [...textOf(file).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target]) => target ?? "");
    // Screenshots are made from the built product by npm run screenshots.
    const missing = links.filter((target) => !existsSync(join(root, file, "..", target)));
    expect(missing.filter((target) => !target.includes("screenshots/"))).toEqual([]);
  });
});

// Compares the layer table of architecture.md with the one lint enforces, and checks the names the documents mention.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { isCommandName } from "@/lib/protocol/command";

const root = fileURLToPath(new URL("..", import.meta.url));
const layerTable = z.object({
  mayImport: z.record(z.string(), z.record(z.string(), z.union([z.literal(true), z.string()]))),
});

const documents = [
  "README.md",
  "AGENTS.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
];
const readDocument = (file: string): string => readFileSync(join(root, file), "utf8");

describe("docs/architecture.md", () => {
  it("lists the imports of each layer that lint enforces", async () => {
    const enforced: unknown = await import(new URL("../scripts/lint/layer-table.mjs", import.meta.url).href);
    const documented = Object.fromEntries(
      readDocument("docs/architecture.md")
        .split("\n")
        .flatMap((line) => {
          const [, layer, , allowed] = /^\| `([^`]+)` \|([^|]*)\|([^|]*)\|$/.exec(line) ?? [];
          if (layer === undefined || allowed === undefined) return [];
          const names = [...allowed.matchAll(/`([^`]+)`( \(types\))?/g)];
          return [
            [layer, Object.fromEntries(names.map(([, name, types]) => [name, types === undefined ? true : "types"]))],
          ];
        }),
    );
    expect(documented).toEqual(layerTable.parse(enforced).mayImport);
  });

  it("has no more than 250 lines", () => {
    expect(readDocument("docs/architecture.md").split("\n").length).toBeLessThanOrEqual(250);
  });
});

describe.each(documents)("%s", (file) => {
  it("mentions only commands that exist", () => {
    const named = [...readDocument(file).matchAll(/`((?:session|files|models|project|rules)\.[a-z_]+)\b(?!\.)/g)];
    const names = named.map(([, name]) => name ?? "").filter((name) => !/\.(?:ts|tsx|md|yaml)$/.test(name));
    expect(names.filter((name) => !isCommandName(name))).toEqual([]);
  });

  it("links only to files that exist", () => {
    const links = [...readDocument(file).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(
      ([, target]) => target ?? "",
    );
    // `npm run screenshots` creates the screenshots.
    const missing = links.filter((target) => !existsSync(join(root, file, "..", target)));
    expect(missing.filter((target) => !target.includes("screenshots/"))).toEqual([]);
  });
});

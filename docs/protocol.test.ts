// The tables of protocol.md against lib: neither side may have a row, a field or an access that the other lacks.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { commands } from "@/lib/protocol/command";
import { errorCodes } from "@/lib/events/error";
import { type DeclaredMember, readDeclarations } from "./declared-members";

/** "!" = always there, "?" = may be left out. */
type Fields = Readonly<Record<string, "?" | "!">>;

const fieldsOf = (members: readonly DeclaredMember[]): Fields =>
  Object.fromEntries(members.map(({ name, isOptional }) => [name, isOptional ? "?" : "!"]));

const page = readFileSync(new URL("protocol.md", import.meta.url), "utf8");
const lines = page.split("\n");

/** The rows of the one table below a heading, each as its cells. */
function tableUnder(heading: string): readonly (readonly string[])[] {
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`protocol.md has no heading "${heading}"`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith("#"));
  return rest
    .slice(0, end < 0 ? undefined : end)
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const nameIn = (cell: string | undefined): string => /^`(.+)`$/.exec(cell ?? "")?.[1] ?? `not a name: ${cell}`;

/** "`a` `[b]`" as { a: "!", b: "?" }. */
const fieldsIn = (cell: string | undefined): Fields =>
  Object.fromEntries(
    [...(cell ?? "").matchAll(/`(\[?)(\w+)\]?`/g)].map(([, bracket, name]) => [
      name ?? "",
      bracket === "[" ? "?" : "!",
    ]),
  );

const fieldTable = (heading: string): Readonly<Record<string, Fields>> =>
  Object.fromEntries(tableUnder(heading).map(([name, fields]) => [nameIn(name), fieldsIn(fields)]));

const events = readDeclarations("lib/events/event.ts");
const eventsOf = (union: string): Readonly<Record<string, Fields>> =>
  Object.fromEntries([...events.messagesOf(union)].map(([type, members]) => [type, fieldsOf(members)]));

const topics = readDeclarations("lib/protocol/topics.ts");
const pushes = readDeclarations("lib/protocol/push.ts");

/** The rows of the pushes: their fields and their meaning are written only where they are declared. */
const pushRows: readonly string[] = [
  ...topics.membersOf("PushFields").map((topic) => pushRow(topic.name, topic.members(), topic.comment)),
  ...[...pushes.messagesOf("ResyncPush")].map(([name, members]) =>
    pushRow(name, members, pushes.commentOf("ResyncPush")),
  ),
];

function pushRow(name: string, members: readonly DeclaredMember[], comment: string): string {
  const fields = members.map((member) => inCode(member.isOptional ? `[${member.name}]` : member.name));
  const meaning = comment.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase()).replace(/\.$/, "");
  return [`| ${inCode(name)} |`, ...fields, "|", meaning, "|"].join(" ");
}

function inCode(text: string): string {
  return ["", text, ""].join("`");
}

/** Returns the members of a command's input: "!" = required, "?" = optional. */
const inputOf = (shape: Readonly<Record<string, unknown>>): Fields =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [
      name,
      schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniExactOptional ? "?" : "!",
    ]),
  );

describe("the tables of docs/protocol.md", () => {
  it("name every command with its access and input, and no other", () => {
    const [allowed = ""] = /A share link allows [^]*? for\s/.exec(lines.join("\n")) ?? [];
    const forViewers = new Set([...allowed.matchAll(/`(.+?)`/g)].map(([, name]) => name));
    const documented = Object.fromEntries(
      tableUnder("## Commands").map(([cell, input]) => {
        const name = nameIn(cell);
        return [name, { access: forViewers.has(name) ? "viewer" : "owner", input: fieldsIn(input) }];
      }),
    );
    const real = Object.fromEntries(
      Object.entries(commands).map(([name, { access, input }]) => [name, { access, input: inputOf(input.shape) }]),
    );
    expect(documented).toEqual(real);
  });

  it("name every durable event with its fields, and no other", () => {
    expect(fieldTable("### Durable events")).toEqual(eventsOf("DurableEvent"));
  });

  it("name every live event with its fields, and no other", () => {
    expect(fieldTable("### Live events")).toEqual(eventsOf("LiveEvent"));
  });

  it("have the declared fields and comment of every push (-u writes them)", async () => {
    const [written = ""] = /(?<=## Pushes\n\n.*\n\| --- .*\n)(?:\|.*\n)+/.exec(page) ?? [];
    await expect(page.replace(written, `${pushRows.join("\n")}\n`)).toMatchFileSnapshot("protocol.md");
  });

  it("name every error code once, and no other", () => {
    expect(
      tableUnder("## Error codes")
        .map(([code]) => nameIn(code))
        .sort(),
    ).toEqual([...errorCodes].sort());
  });

  it("say something about every row, and name no row twice", () => {
    for (const heading of ["## Commands", "### Durable events", "### Live events", "## Pushes", "## Error codes"]) {
      const rows = tableUnder(heading);
      expect(rows.filter((row) => row.at(-1) === "")).toEqual([]);
      expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length);
    }
  });
});

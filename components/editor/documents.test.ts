import { beforeEach, describe, expect, test } from "vitest";
import type { CommandInput } from "@/lib/protocol/command";
import type { OpenFile } from "@/lib/workspace/project-files";
import { asId, type Hash, type ProjectId } from "@/lib/events/id";
import type { CommandAnswer } from "@/lib/protocol/socket";
import type { ServerConnection } from "../state/connection/server-connection";
import { createDocuments, type Documents } from "./documents";
import { createDrafts, type Drafts } from "./drafts";

/** In-memory disk that answers like the server. The hash of a text is `#` and the text. */
function createDisk() {
  const files = new Map<string, string>();
  let losesAnswer = false;
  const read = (path: string): OpenFile | null => {
    const text = files.get(path);
    if (text === undefined) return null;
    return { path, text, hash: asId<Hash>(`#${text}`), size: text.length, eol: "\n", encoding: "utf8", readOnly: null };
  };
  const write = ({ path, text, expect: seen }: CommandInput<"files.write">): CommandAnswer<"files.write"> => {
    const before = read(path);
    if ((before?.hash ?? null) !== seen)
      return { ok: false, error: { code: before === null ? "not_found" : "changed_meanwhile" } };
    files.set(path, text);
    if (losesAnswer) return { ok: false, error: { code: "changed_meanwhile" } };
    return { ok: true, value: { hash: asId<Hash>(`#${text}`) } };
  };
  const call = async (name: string, input: CommandInput<"files.write">): Promise<unknown> => {
    if (name === "files.write") return write(input);
    const file = read(input.path);
    return file === null ? { ok: false, error: { code: "not_found" } } : { ok: true, value: file };
  };
  return { files, call: asCall(call), loseAnswers: () => void (losesAnswer = true) };
}

/** Casts a plain function to the generic type of `call`, via the `any` of JSON.parse. */
const asCall = (
  call: (name: string, input: CommandInput<"files.write">) => Promise<unknown>,
): ServerConnection["call"] => {
  const open: { call: ServerConnection["call"] } = JSON.parse("{}");
  return Object.assign(open, { call }).call;
};

function memoryStorage() {
  const stored = new Map<string, string>();
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
}

const projectId = asId<ProjectId>("p1");
let disk = createDisk();
let drafts: Drafts;
let documents: Documents;
let typedText = "";

const type = (text: string): void => {
  typedText = text;
  documents.typed("a.ts");
};
const currentDocument = () => documents.get().get("a.ts");
const waitUntil = (check: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    if (check()) return resolve();
    const stop = documents.subscribe(() => {
      if (!check()) return;
      stop();
      resolve();
    });
  });

async function openFile(): Promise<void> {
  documents = createDocuments(disk.call, projectId, drafts);
  documents.open("a.ts");
  await waitUntil(() => currentDocument()?.status === "ready");
  typedText = documents.textOf("a.ts");
  documents.attach("a.ts", {
    text: () => typedText,
    equals: (other) => typedText === other,
    replace: (text) => {
      typedText = text;
    },
  });
}

beforeEach(async () => {
  disk = createDisk();
  disk.files.set("a.ts", "one");
  drafts = createDrafts(memoryStorage(), projectId);
  await openFile();
});

describe("saving", () => {
  test("writes the typed text and clears the dirty flag", async () => {
    type("two");
    expect(currentDocument()?.isDirty).toBe(true);
    expect(await documents.save("a.ts")).toBe(true);
    expect(disk.files.get("a.ts")).toBe("two");
    expect(currentDocument()).toMatchObject({ isDirty: false, isSaving: false });
  });
  test("never overwrites a change by another program", async () => {
    type("two");
    disk.files.set("a.ts", "agent");
    expect(await documents.save("a.ts")).toBe(false);
    expect(disk.files.get("a.ts")).toBe("agent");
    expect(currentDocument()?.theirs?.text).toBe("agent");
    expect(await documents.save("a.ts")).toBe(false);
    documents.keepMine("a.ts");
    expect(await documents.save("a.ts")).toBe(true);
    expect(disk.files.get("a.ts")).toBe("two");
  });
  test("writes the merged text", async () => {
    type("two");
    disk.files.set("a.ts", "agent");
    expect(await documents.save("a.ts")).toBe(false);
    documents.merge("a.ts", "two and agent");
    expect(typedText).toBe("two and agent");
    expect(currentDocument()).toMatchObject({ theirs: null, isDirty: true });
    expect(await documents.save("a.ts")).toBe(true);
    expect(disk.files.get("a.ts")).toBe("two and agent");
  });
  test("succeeds if the answer was lost but the text is on disk", async () => {
    type("two");
    disk.loseAnswers();
    expect(await documents.save("a.ts")).toBe(true);
    expect(currentDocument()).toMatchObject({ isDirty: false, theirs: null });
  });
  test("recreates a deleted file", async () => {
    disk.files.delete("a.ts");
    documents.changedOnDisk("all");
    await waitUntil(() => currentDocument()?.isDeleted === true);
    expect(await documents.save("a.ts")).toBe(true);
    expect(disk.files.get("a.ts")).toBe("one");
    expect(currentDocument()).toMatchObject({ isDeleted: false, isDirty: false });
  });
});

describe("a change on disk", () => {
  test("reloads a clean text", async () => {
    disk.files.set("a.ts", "agent");
    documents.changedOnDisk(["a.ts"]);
    await waitUntil(() => currentDocument()?.file?.text === "agent");
    expect(typedText).toBe("agent");
    expect(currentDocument()?.isDirty).toBe(false);
  });
  test("keeps typed text and reports a conflict", async () => {
    type("mine");
    disk.files.set("a.ts", "agent");
    documents.changedOnDisk("all");
    await waitUntil(() => currentDocument()?.theirs !== null);
    expect(typedText).toBe("mine");
    documents.takeTheirs("a.ts");
    expect(typedText).toBe("agent");
    expect(currentDocument()).toMatchObject({ isDirty: false, theirs: null });
  });
});

describe("typed text", () => {
  test("is restored after a reload", async () => {
    type("typed");
    documents.writeDrafts();
    await openFile();
    expect(typedText).toBe("typed");
    expect(currentDocument()).toMatchObject({ isDirty: true, theirs: null });
  });
  test("conflicts with a change made during the reload", async () => {
    type("typed");
    documents.writeDrafts();
    disk.files.set("a.ts", "agent");
    await openFile();
    expect(typedText).toBe("typed");
    expect(currentDocument()?.theirs?.text).toBe("agent");
  });
  test("is moved when the file is renamed", async () => {
    type("typed");
    disk.files.set("b.ts", "one");
    documents.renamed("a.ts", "b.ts");
    documents.open("b.ts");
    await waitUntil(() => documents.get().get("b.ts")?.status === "ready");
    expect(documents.textOf("b.ts")).toBe("typed");
    expect(documents.get().get("b.ts")?.isDirty).toBe(true);
  });
  test("is discarded when its tab is closed", async () => {
    type("typed");
    documents.writeDrafts();
    documents.close("a.ts");
    await openFile();
    expect(typedText).toBe("one");
  });
});

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ErrorCode } from "@/lib/events/error";
import type { CommandInput } from "@/lib/protocol/command";
import type { OpenFile } from "@/lib/workspace/project-files";
import { asId, type Hash, type ProjectId } from "@/lib/events/id";
import type { CommandAnswer } from "@/lib/protocol/socket";
import type { ServerConnection } from "../../state/connection/server-connection";
import { createAutosave } from "./autosave";
import { createDocuments, type Documents } from "./documents";
import { createDrafts, type Drafts } from "./drafts";
import { memoryStorage } from "./test-storage";

const maxChars = 1_000;
/** The error of a file that has no text to show. */
const codeOf = ({ text }: OpenFile): ErrorCode | null =>
  text.length > maxChars
    ? "too_large"
    : text.includes("\0")
      ? "binary"
      : text.includes("\uFFFD")
        ? "bad_encoding"
        : null;

/** In-memory disk that answers like the server. The hash of a text is `#` and the text. */
function createDisk() {
  const files = new Map<string, string>();
  let losesAnswer = false;
  let writes = 0;
  const read = (path: string): OpenFile | null => {
    const text = files.get(path);
    if (text === undefined) return null;
    return { path, text, hash: asId<Hash>(`#${text}`), size: text.length, eol: "\n", encoding: "utf8", readOnly: null };
  };
  const write = ({ path, text, expect: seen }: CommandInput<"files.write">): CommandAnswer<"files.write"> => {
    writes += 1;
    const before = read(path);
    if ((before?.hash ?? null) !== seen)
      return { ok: false, error: { code: before === null ? "not_found" : "changed_meanwhile" } };
    files.set(path, text);
    if (losesAnswer) return { ok: false, error: { code: "changed_meanwhile" } };
    return { ok: true, value: { hash: asId<Hash>(`#${text}`) } };
  };
  const call = async (name: string, input: CommandInput<"files.write">): Promise<unknown> => {
    if (name === "files.write") return write(input);
    if (name === "files.style") return { ok: true, value: { indentSize: files.size } };
    const file = read(input.path);
    if (file === null) return { ok: false, error: { code: "not_found" } };
    const code = codeOf(file);
    return code === null ? { ok: true, value: file } : { ok: false, error: { code } };
  };
  return { files, call: asCall(call), writes: () => writes, loseAnswers: () => void (losesAnswer = true) };
}

/** Casts a plain function to the generic type of `call`, via the `any` of JSON.parse. */
const asCall = (
  call: (name: string, input: CommandInput<"files.write">) => Promise<unknown>,
): ServerConnection["call"] => {
  const open: { call: ServerConnection["call"] } = JSON.parse("{}");
  return Object.assign(open, { call }).call;
};

const projectId = asId<ProjectId>("p1");
let disk = createDisk();
let drafts: Drafts;
let documents: Documents;
let typedText = "";
/** The text when the undo history was dropped last. */
let firstText: string | null = null;

const type = (text: string): void => {
  typedText = text;
  documents.typed("a.ts");
};
const ignoredChanges = {
  replace: (): void => undefined,
  dropHistory: (): void => undefined,
  clean: (): void => undefined,
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

async function openFile(call = disk.call, formatsOnSave = false): Promise<void> {
  documents = createDocuments(call, projectId, drafts, () => formatsOnSave);
  documents.open("a.ts");
  await waitUntil(() => currentDocument()?.status === "ready");
  typedText = documents.textOf("a.ts");
  documents.attach("a.ts", {
    text: () => typedText,
    equals: (other) => typedText === other,
    replace: (text) => {
      typedText = text;
    },
    dropHistory: () => {
      firstText = typedText;
    },
    clean: (cause) => {
      typedText = cause === "user" ? typedText.trimEnd() : typedText;
    },
  });
}

beforeEach(async () => {
  disk = createDisk();
  disk.files.set("a.ts", "one");
  drafts = createDrafts({ tab: memoryStorage(), browser: memoryStorage() }, projectId, () => 0, "tab", undefined);
  await openFile();
});

test("a change on disk during the first read is shown, although that read answers with the text before it", async () => {
  let answerFirst = (): void => undefined;
  let isFirst = true;
  const slow = asCall(async (name, input) => {
    const answer = await Reflect.apply(disk.call, null, [name, input]);
    if (name === "files.style" || !isFirst) return answer;
    isFirst = false;
    await new Promise<void>((resolve) => (answerFirst = resolve));
    return answer;
  });
  documents = createDocuments(slow, projectId, drafts);
  documents.open("a.ts");
  await vi.waitUntil(() => !isFirst);
  disk.files.set("a.ts", "two");
  documents.changedOnDisk(["a.ts"]);
  // Runs after everything that does not wait for the first read.
  await new Promise((resolve) => setImmediate(resolve));
  answerFirst();
  await waitUntil(() => documents.textOf("a.ts") === "two");
  expect(currentDocument()).toMatchObject({ status: "ready", isDirty: false });
});

test("after a reload a draft is restored in the encoding that the user chose, also if none is detected", async () => {
  const { call } = disk;
  const inGbk = asCall(async (name, input) => {
    if (name === "files.style") return { ok: true, value: {} };
    if (input.encoding !== "gbk") return { ok: false, error: { code: "bad_encoding" } };
    const answer = await call("files.read", input);
    return answer.ok ? { ok: true, value: { ...answer.value, encoding: "gbk" } } : answer;
  });
  documents = createDocuments(inGbk, projectId, drafts);
  documents.open("a.ts");
  await waitUntil(() => currentDocument()?.status === "failed");
  expect(await documents.reopenAs("a.ts", "gbk")).toBeNull();
  typedText = "two";
  documents.attach("a.ts", { text: () => typedText, equals: (other) => typedText === other, ...ignoredChanges });
  documents.typed("a.ts");
  documents.writeDrafts();
  documents = createDocuments(inGbk, projectId, drafts);
  documents.openDrafts(["a.ts"]);
  await waitUntil(() => currentDocument()?.status !== "loading");
  expect(currentDocument()).toMatchObject({ isDirty: true, file: { encoding: "gbk" }, chosenEncoding: "gbk" });
  expect(documents.textOf("a.ts")).toBe("two");
});

test("the draft of a file that is not read yet, or cannot be read, stays", async () => {
  type("two");
  documents.writeDrafts();
  let fail = (): void => undefined;
  const failing = new Promise<unknown>((resolve) => {
    fail = () => resolve({ ok: false, error: { code: "timeout" } });
  });
  documents = createDocuments(
    asCall((name) => (name === "files.style" ? Promise.resolve({ ok: true, value: {} }) : failing)),
    projectId,
    drafts,
  );
  documents.openDrafts(["a.ts"]);
  documents.writeDrafts();
  expect((await drafts.read("a.ts"))?.text).toBe("two");
  fail();
  await waitUntil(() => currentDocument()?.status === "failed");
  documents.writeDrafts();
  expect((await drafts.read("a.ts"))?.text).toBe("two");
});

test("after a reload a file with a draft is open and unsaved before its tab is shown", async () => {
  disk.files.set("b.ts", "other");
  type("two");
  documents.writeDrafts();
  documents = createDocuments(disk.call, projectId, drafts);
  documents.openDrafts(["a.ts", "b.ts"]);
  await waitUntil(() => currentDocument()?.isDirty === true);
  expect(documents.textOf("a.ts")).toBe("two");
  expect(documents.get().has("b.ts")).toBe(false);
});

/** Opens the file with a formatter that answers on request. */
async function openFormatted(): Promise<{ answerFormat(): void }> {
  const { call } = disk;
  let answer: () => void = () => undefined;
  const formatted = new Promise<unknown>((resolve) => {
    answer = () => resolve({ ok: true, value: { text: "formatted", formatter: "prettier" } });
  });
  const formatting = asCall((name, input) =>
    name === "files.format" ? formatted : call(name === "files.write" ? "files.write" : "files.read", input),
  );
  await openFile(formatting, true);
  return { answerFormat: answer };
}

test("a file that cannot be written is not formatted", async () => {
  const { call } = disk;
  const protectedDisk = asCall(async (name, input) => {
    const answer = await call("files.read", input);
    return answer.ok && name === "files.read"
      ? { ok: true, value: { ...answer.value, readOnly: "no_permission" } }
      : answer;
  });
  await openFile(protectedDisk);
  expect(await documents.format("a.ts")).toEqual({ code: "no_permission" });
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
  test("an independent change on disk is merged without a question, and both are saved", async () => {
    disk.files.set("a.ts", "1\n2\n3");
    await openFile();
    type("mine\n2\n3");
    disk.files.set("a.ts", "1\n2\nagent");
    expect(await documents.save("a.ts")).toBe(true);
    expect(disk.files.get("a.ts")).toBe("mine\n2\nagent");
    expect(currentDocument()).toMatchObject({ theirs: null, isDirty: false, isMerged: true });
    type("0\nmine\n2\nagent");
    disk.files.set("a.ts", "mine\nagain\nagent");
    documents.changedOnDisk("all");
    await waitUntil(() => currentDocument()?.file?.text === "mine\nagain\nagent");
    expect(typedText).toBe("0\nmine\nagain\nagent");
    expect(currentDocument()).toMatchObject({ theirs: null, isDirty: true });
    documents.confirmMerge("a.ts");
    expect(currentDocument()?.isMerged).toBe(false);
  });
  test("a draft of an older version is never merged with an unknown base", async () => {
    drafts.write("a.ts", { hash: asId<Hash>("#older"), text: "draft", encoding: null });
    await openFile();
    documents.changedOnDisk("all");
    disk.files.set("a.ts", "two");
    documents.changedOnDisk("all");
    await waitUntil(() => currentDocument()?.theirs?.text === "two");
    expect([typedText, currentDocument()?.isBaseUnknown]).toEqual(["draft", true]);
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
  test("writes nothing when the file is closed while it is formatted", async () => {
    const { answerFormat } = await openFormatted();
    const saved = documents.save("a.ts");
    await waitUntil(() => currentDocument()?.isSaving === true);
    documents.close("a.ts");
    answerFormat();
    expect(await saved).toBe(false);
    expect(disk.files.get("a.ts")).toBe("one");
  });
  test("ends when a conflict appears while the file is formatted", async () => {
    const { answerFormat } = await openFormatted();
    type("two");
    disk.files.set("a.ts", "agent");
    documents.changedOnDisk("all");
    const saved = documents.save("a.ts");
    await waitUntil(() => currentDocument()?.theirs?.text === "agent");
    expect(currentDocument()?.isSaving).toBe(true);
    answerFormat();
    expect(await saved).toBe(false);
    expect(currentDocument()?.isSaving).toBe(false);
    expect(disk.files.get("a.ts")).toBe("agent");
  });
  test("writes the cleaned text", async () => {
    type("two  ");
    expect(await documents.save("a.ts")).toBe(true);
    expect(disk.files.get("a.ts")).toBe("two");
    expect(currentDocument()?.isDirty).toBe(false);
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
  test.each([
    ["too_large", "x".repeat(maxChars + 1)],
    ["binary", "BM\0\0"],
    ["bad_encoding", "\uFFFD"],
  ])("shows a clean file that became %s as such, and reloads it when it is a text again", async (code, text) => {
    disk.files.set("a.ts", text);
    documents.changedOnDisk("all");
    await waitUntil(() => currentDocument()?.status === "failed");
    expect(currentDocument()?.error?.code).toBe(code);
    disk.files.set("a.ts", "small");
    documents.changedOnDisk("all");
    await waitUntil(() => currentDocument()?.status === "ready");
    expect(typedText).toBe("small");
  });
  test("keeps typed text when the file has grown too large", async () => {
    type("mine");
    disk.files.set("a.ts", "x".repeat(maxChars + 1));
    expect(await documents.save("a.ts")).toBe(false);
    documents.changedOnDisk("all");
    await waitUntil(() => currentDocument()?.saveError?.code === "too_large");
    expect(currentDocument()).toMatchObject({ status: "ready", isDirty: true });
    expect(typedText).toBe("mine");
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

test("what .editorconfig demands is read again on request", async () => {
  await waitUntil(() => currentDocument()?.style.indentSize === 1);
  disk.files.set(".editorconfig", "");
  documents.stylesChanged();
  await waitUntil(() => currentDocument()?.style.indentSize === 2);
});

describe("an automatic save", () => {
  const waitForDisk = (text: string): Promise<void> =>
    waitUntil(() => disk.files.get("a.ts") === text && currentDocument()?.isDirty === false);
  let isComposing = false;
  /** Number of calls that wrote, after all that were started. */
  const countWrites = async (): Promise<number> => {
    await vi.runAllTimersAsync();
    return disk.writes();
  };
  beforeEach(() => {
    vi.useFakeTimers();
    isComposing = false;
  });
  afterEach(() => void vi.useRealTimers());

  test("comes a second after the last key, and leaves the text as it is typed", async () => {
    const autosave = createAutosave(
      documents,
      () => "delay",
      () => isComposing,
    );
    type("two ");
    autosave.typed();
    vi.advanceTimersByTime(900);
    type("three ");
    autosave.typed();
    vi.advanceTimersByTime(900);
    autosave.left();
    await vi.advanceTimersByTimeAsync(0);
    expect(disk.writes()).toBe(0);
    vi.advanceTimersByTime(100);
    await waitForDisk("three ");
  });
  test("comes when the editor is left, if that is the setting", async () => {
    const autosave = createAutosave(
      documents,
      () => "focus",
      () => isComposing,
    );
    type("two");
    autosave.typed();
    vi.advanceTimersByTime(5_000);
    expect(disk.files.get("a.ts")).toBe("one");
    autosave.left();
    await waitForDisk("two");
  });
  test("never decides a conflict and never recreates a deleted file", async () => {
    const autosave = createAutosave(
      documents,
      () => "focus",
      () => isComposing,
    );
    type("two");
    disk.files.set("a.ts", "agent");
    documents.changedOnDisk("all");
    await waitUntil(() => currentDocument()?.theirs !== null);
    autosave.left();
    expect(await countWrites()).toBe(0);
    documents.keepMine("a.ts");
    disk.files.delete("a.ts");
    documents.changedOnDisk("all");
    await waitUntil(() => currentDocument()?.isDeleted === true);
    autosave.left();
    expect(await countWrites()).toBe(0);
    expect(await documents.save("none.ts")).toBe(false);
    expect(disk.files.has("a.ts")).toBe(false);
  });
  test.each(["delay", "focus"] as const)("waits for an input method (%s)", async (mode) => {
    const autosave = createAutosave(
      documents,
      () => mode,
      () => isComposing,
    );
    type("two");
    isComposing = true;
    autosave.typed();
    autosave.left();
    expect(await countWrites()).toBe(0);
    isComposing = false;
    autosave.composed();
    expect(await countWrites()).toBe(1);
  });
  test("comes before a tab is closed; the user decides about a conflict, and without autosave", async () => {
    type("two");
    const off = createAutosave(
      documents,
      () => "off",
      () => false,
    );
    expect(await off.settle("a.ts")).toBe(false);
    const autosave = createAutosave(
      documents,
      () => "focus",
      () => false,
    );
    expect(await autosave.settle("a.ts")).toBe(true);
    expect(disk.files.get("a.ts")).toBe("two");
    type("three");
    disk.files.set("a.ts", "agent");
    expect(await autosave.settle("a.ts")).toBe(false);
    expect(await autosave.settle("a.ts")).toBe(false);
    expect(disk.files.get("a.ts")).toBe("agent");
  });
  test("does not write a file while the user decides about its text", async () => {
    const autosave = createAutosave(
      documents,
      () => "focus",
      () => false,
    );
    type("two");
    const resume = autosave.pause("a.ts");
    autosave.left();
    expect(await countWrites()).toBe(0);
    resume();
    autosave.left();
    expect(await countWrites()).toBe(1);
  });
  test("is off by default", async () => {
    const autosave = createAutosave(
      documents,
      () => "off",
      () => isComposing,
    );
    type("two");
    autosave.typed();
    autosave.left();
    expect(vi.getTimerCount()).toBe(1);
    expect(await countWrites()).toBe(0);
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

describe("an encoding that the user chose", () => {
  test("is used for every later read and save, and the file of another program is read as detected", async () => {
    const inputs: unknown[] = [];
    const { call } = disk;
    let isValid = true;
    documents = createDocuments(
      asCall(async (name, input) => {
        if (name === "files.style") return { ok: true, value: {} };
        inputs.push([name, "encoding" in input ? input.encoding : undefined]);
        if (name === "files.read" && input.encoding !== undefined && !isValid)
          return { ok: false, error: { code: "bad_encoding" } };
        const answer = await call(name === "files.write" ? "files.write" : "files.read", input);
        return answer.ok && name === "files.read"
          ? { ok: true, value: { ...answer.value, encoding: input.encoding ?? "utf8" } }
          : answer;
      }),
      projectId,
      drafts,
    );
    documents.open("a.ts");
    await waitUntil(() => currentDocument()?.status === "ready");
    expect(await documents.reopenAs("a.ts", "gbk")).toBeNull();
    expect(currentDocument()).toMatchObject({ file: { encoding: "gbk" }, isDirty: false });
    expect(await documents.save("a.ts")).toBe(true);
    expect(await documents.saveAs("a.ts", "big5")).toBeNull();
    expect(currentDocument()).toMatchObject({ file: { encoding: "big5" }, isDirty: false });
    isValid = false;
    disk.files.set("a.ts", "other");
    documents.changedOnDisk(["a.ts"]);
    await waitUntil(() => currentDocument()?.file?.text === "other");
    expect(currentDocument()?.file?.encoding).toBe("utf8");
    expect(inputs).toEqual([
      ["files.read", undefined],
      ["files.read", "gbk"],
      ["files.write", "gbk"],
      ["files.write", "big5"],
      ["files.read", "big5"],
      ["files.read", undefined],
    ]);
  });

  test("reopens without the misread text in the undo history", async () => {
    disk.files.set("a.ts", "as it is");
    expect(await documents.reopenAs("a.ts", "gbk")).toBeNull();
    expect(firstText).toBe("as it is");
  });

  test("that lacks a character is refused, and the file keeps its own", async () => {
    const { call } = disk;
    const facts = { encoding: "gbk", character: "é", line: 1 };
    documents = createDocuments(
      asCall(async (name, input) =>
        name === "files.write" && input.encoding === "gbk"
          ? { ok: false, error: { code: "unencodable", facts } }
          : call(name === "files.write" ? "files.write" : "files.read", input),
      ),
      projectId,
      drafts,
    );
    documents.open("a.ts");
    await waitUntil(() => currentDocument()?.status === "ready");
    expect(await documents.saveAs("a.ts", "gbk")).toEqual({ code: "unencodable", facts });
    expect(currentDocument()).toMatchObject({ saveError: null, chosenEncoding: null, file: { encoding: "utf8" } });
  });
});

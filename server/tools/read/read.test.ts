import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serverLimits } from "@/lib/settings/server-limits";
import { readTool, readLineChars } from "./read";
import { callTool, makeTestEnvironment, type TestEnvironment } from "../core/test-environment";

const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(64, 0)]);

describe("read", () => {
  let environment: TestEnvironment;
  const pathIn = (path: string): string => `${environment.root}/${path}`;
  const call = (input: { path: string; offset?: number; limit?: number }) =>
    callTool(readTool, input, environment.context);

  beforeAll(() => {
    environment = makeTestEnvironment();
    mkdirSync(pathIn("src"));
    writeFileSync(pathIn("src/user-store.ts"), "export const a = 1;\nexport const b = 2;\n");
    writeFileSync(pathIn("src/index.ts"), "");
    writeFileSync(pathIn("long.txt"), Array.from({ length: 1_200 }, (_, index) => `row ${index + 1}`).join("\n"));
    writeFileSync(pathIn("crlf.txt"), "a\r\nb\r\n");
    writeFileSync(pathIn("utf16.txt"), Buffer.from("\ufeffhé\nwörld\n", "utf16le"));
    writeFileSync(pathIn("bom.txt"), "\ufeffa\n");
    writeFileSync(pathIn("data.bin"), Buffer.from([0, 1, 2, 3, 0, 255]));
    writeFileSync(pathIn("latin1.txt"), Buffer.from("caf\xe9 and more words\n", "latin1"));
    writeFileSync(pathIn("no-text.txt"), Buffer.from("a\xff\x81\x8d\xff\x90\x9d", "latin1"));
    writeFileSync(pathIn("huge.txt"), "x".repeat(serverLimits.readMaxBytes + 1));
    writeFileSync(pathIn("wide.js"), `${"y".repeat(5_000)}\nshort\n`);
    writeFileSync(pathIn("pic.png"), png);
    writeFileSync(pathIn("fake.png"), Buffer.from([0, 0, 0]));
    writeFileSync(pathIn(".env"), "SECRET=1\n");
    symlinkSync("nowhere", pathIn("broken"));
    symlinkSync("/etc/hostname", pathIn("out"));
    symlinkSync("src/user-store.ts", pathIn("link.ts"));
  });
  afterAll(() => environment.remove());

  test("numbers lines from 1", async () => {
    const { text, result } = await call({ path: "src/user-store.ts" });
    expect(text).toBe("1\texport const a = 1;\n2\texport const b = 2;");
    expect(result?.facts).toEqual({ fromLine: 1, toLine: 2, totalLines: 2, bytes: 40 });
  });

  test("keeps the bytes of marks of chat templates, and says what they are", async () => {
    const line = "<|im_start|>system\u200b [INST]";
    writeFileSync(pathIn("marks.md"), `one\n${line}\nthree\n`);
    const { text } = await call({ path: "marks.md" });
    expect(text).toMatch(/^1\tone\n.*\n3\tthree\n\[the lines contain marks of chat templates: .*\]$/);
    expect(text.split("\n")[1]).toBe(`2\t${line}`);
    expect((await call({ path: "marks.md", limit: 1 })).text).not.toContain("marks of chat templates");
  });

  test("returns at most 500 lines and states the rest", async () => {
    const { text } = await call({ path: "long.txt", limit: 9_000 });
    expect(text.split("\n").slice(-2)).toEqual(["500\trow 500", "[lines 1-500 of 1200; go on with offset 501]"]);
  });

  test("states the position of a range in the file", async () => {
    const { text } = await call({ path: "long.txt", offset: 1_199, limit: 1 });
    expect(text).toBe("1199\trow 1199\n[lines 1199-1199 of 1200; go on with offset 1200]");
    expect((await call({ path: "long.txt", offset: 1_200 })).text).toBe("1200\trow 1200");
  });

  test.each<[string, string, number | undefined, string, string]>([
    ["an offset past the end", "long.txt", 1_201, "bad_input", "offset 1201 is past the end: long.txt has 1200 lines."],
    ["a folder", "src", undefined, "is_folder", "src is a folder. Use ls"],
    [
      "a binary file",
      "data.bin",
      undefined,
      "binary",
      "data.bin is a binary file (application/octet-stream, 6 B), not text.",
    ],
    ["bytes that are not text", "no-text.txt", undefined, "bad_encoding", "no-text.txt is not valid text"],
    ["a file that is no image despite its name", "fake.png", undefined, "binary", "fake.png is a binary file"],
    [
      "a missing file",
      "src/user_store.ts",
      undefined,
      "not_found",
      "src/user_store.ts does not exist. Did you mean src/user-store.ts?",
    ],
    [
      "a missing file without similar names",
      "qqq",
      undefined,
      "not_found",
      "qqq does not exist. Use find or ls to see what is there.",
    ],
    ["a missing folder", "lib/a.ts", undefined, "not_found", "The folder lib does not exist either"],
    ["a broken link", "broken", undefined, "broken_link", "broken is a link that leads to nothing"],
    ["a link that leads out", "out", undefined, "outside", "out is outside the project."],
    ["a protected file", ".env", undefined, "protected", ".env is protected"],
    ["a path below a file", "crlf.txt/x", undefined, "not_folder", "is a file"],
  ])("%s is refused with the next step", async (_, path, offset, code, expected) => {
    const refused = await call({ path, offset });
    expect(refused.code).toBe(code);
    expect(refused.text).toContain(expected);
  });

  test.each([
    ["one line of 2 MB", "huge.txt", `1\t${"x".repeat(2_000)}… [line cut: 2.0 MB]`],
    ["Latin-1", "latin1.txt", "1\tcafé and more words"],
    ["CRLF", "crlf.txt", "1\ta\n2\tb"],
    ["UTF-16", "utf16.txt", "1\thé\n2\twörld"],
    ["a byte order mark", "bom.txt", "1\ta"],
    ["an empty file", "src/index.ts", "(src/index.ts is empty)"],
    ["a link inside the project", "link.ts", "1\texport const a = 1;\n2\texport const b = 2;"],
  ])("%s is read as its text", async (_, path, text) => {
    expect((await call({ path })).text).toBe(text);
  });

  test("cuts a very long line and states it", async () => {
    const { text } = await call({ path: "wide.js" });
    expect(text).toBe(`1\t${"y".repeat(readLineChars)}… [line cut: 5000 characters]\n2\tshort`);
  });

  test("returns an image to a model with vision, and a note to others", async () => {
    expect((await call({ path: "pic.png" })).text).toBe("pic.png: image/png, 72 B. This model cannot see images.");
    const seeing = await callTool(readTool, { path: "pic.png" }, { ...environment.context, vision: true });
    const image = seeing.result?.output.find((block) => block.type === "image");
    expect(image).toMatchObject({ mime: "image/png" });
    expect(image?.type === "image" && environment.blobs.get(image.blob)).toEqual(png);
  });

  test.skipIf(process.getuid?.() === 0)("a file without permission is refused (skipped as root)", async () => {
    writeFileSync(pathIn("locked.txt"), "a");
    chmodSync(pathIn("locked.txt"), 0);
    expect((await call({ path: "locked.txt" })).code).toBe("no_permission");
  });
});

import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addTrailer } from "./message-trailer";

const line = fc.constantFrom(
  "fix: the parser",
  "Some text",
  "Signed-off-by: A <a@b>",
  "Reviewed-by: B",
  "key: value",
  "  continued",
  "(cherry picked from commit abc)",
  "",
  "a b: c",
  "中文: 是",
  "Assisted-by: 模型 x",
);

test("a trailer is added where git would add it", () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 9 }), (lines) => {
      const message = lines.join("\n").trim();
      fc.pre(message !== "");
      const words = ["-c", "trailer.ifexists=addIfDifferentNeighbor", "interpret-trailers", "--trailer"];
      const expected = execFileSync("git", [...words, "Assisted-by: 模型 x"], {
        input: `${message}\n`,
        encoding: "utf8",
      });
      expect(addTrailer(message, "Assisted-by", "模型 x")).toBe(expected);
    }),
    { numRuns: process.env.GOPI_FULL === "1" ? 2_000 : 60 },
  );
});

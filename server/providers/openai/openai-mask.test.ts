import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskKey } from "./openai-mask";

const key = "sk-proj-Ab3dEf6hIj9kLm2nOp5q";

describe("withoutKey", () => {
  it.each([
    [`Incorrect API key provided: ${key}.`, "Incorrect API key provided: ***."],
    [`${key}${key}`, "***"],
    [`Bearer ${key}, again ${key}`, "Bearer ***, again ***"],
    [`key=${Buffer.from(key).toString("base64")}`, "key=***"],
    ["starts with sk-proj-Ab3d…", "starts with ***…"],
    ["cut at sk-pr", "cut at ***"],
    ["Incorrect API key provided: sk-pr***************5q.", "Incorrect API key provided: ***."],
    ["nothing of it, **bold** and 2*3", "nothing of it, **bold** and 2*3"],
  ])("%s", (text, clean) => {
    expect(maskKey(text, key)).toBe(clean);
  });

  it("hides a short key as a whole, but not words similar to it", () => {
    expect(maskKey("LM Studio wants lm-studio, not studio", "lm-studio")).toBe("LM Studio wants ***, not studio");
  });

  it("without a key hides only keys shortened by the server", () => {
    expect(maskKey("a b ab***cd", null)).toBe("a b ***");
    expect(maskKey("a b ab***cd", "")).toBe("a b ***");
  });

  it("hides a key with special characters in its URL-encoded form, too", () => {
    const odd = "a/b+c=d/e+f=g/h";
    expect(maskKey(`x ${encodeURIComponent(odd)} y`, odd)).toBe("x *** y");
  });

  it("leaves no piece of nine characters, in any context", () => {
    const around = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(around, around, fc.nat(key.length), fc.nat(key.length), (before, after, one, other) => {
        const clean = maskKey(before + key.slice(Math.min(one, other), Math.max(one, other)) + after, key);
        for (let from = 0; from + 9 <= key.length; from++) expect(clean).not.toContain(key.slice(from, from + 9));
      }),
    );
  });
});

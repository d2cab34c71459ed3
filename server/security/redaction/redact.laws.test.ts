import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serverLimits } from "@/lib/settings/server-limits";
import { lawRuns } from "@/lib/testing/law-runs";
import { makeRedactor, type Redactor } from "./redact";

const knownSecrets = [
  "Zk4-Zk4-Zk4-Zk4",
  "Qy my Qv long Qw phrase",
  "Lm1-first-line\nLm2-second-line",
  "秘密词Rt secret词",
];
const shapedSecrets = [
  `ghp_${"Vb7Vb7Vb7Vb7Vb7Vb7Vb7Vb7"}`,
  `sk-${"Hj5-Hj5Hj5Hj5Hj5Hj5Hj5"}`,
  `Bearer ${"Nx9Nx9Nx9Nx9Nx9"}`,
];
const keyBody = "MIIEowIBAAKCAQEA1c7+9z5Pad7OejecsQ0buSoHwyXk4vbFzRkKzYGVWsRrDzQo";
const marker = (label: string, name = "PRIVATE KEY"): string => `-----${label} ${name}-----`;
const wholeKey = `${marker("BEGIN")}\n${keyBody}\n${keyBody}\nAb3=\n${marker("END")}`;
const redactor = makeRedactor({ secrets: knownSecrets, homes: ["/home/ann", "/home/bob the builder", "/root"] });

const fragment = fc.oneof(
  fc.constantFrom(
    ...knownSecrets,
    ...shapedSecrets,
    wholeKey,
    wholeKey.replaceAll("\n", "\r\n"),
    JSON.stringify(wholeKey),
  ),
  fc.constantFrom(" ", "\n", "\r\n", "\t", "  ", "\n\n", ",", '"', ":", "=", "…", "，", "。"),
  fc.constantFrom("word", "Bearer", "basic", "Qy", "my", "秘密词", "key", "-----", "-----BEGIN", "-----END", "PRIVATE"),
  fc.constantFrom(marker("BEGIN"), marker("END"), marker("END", "CERTIFICATE"), keyBody, "Ab3=", "中文字", "😀", "é"),
  fc.constantFrom(
    "/home/ann/x",
    "/home/bob the builder/y",
    "/home/bob the",
    "/root",
    "https://a:b-c-d@e",
    "TOKEN=abcdefgh",
  ),
  fc.constantFrom("x".repeat(150), `${keyBody}\n`.repeat(3)),
  fc.string({ maxLength: 8 }),
);
const large = fc.constantFrom("y".repeat(serverLimits.redactHoldChars), `${keyBody}\n`.repeat(70));
const text = fc
  .array(fc.oneof({ weight: 60, arbitrary: fragment }, { weight: 1, arbitrary: large }), { maxLength: 30 })
  .map((parts) => parts.join(""));

/** Returns the masked pieces of a text that is fed in chunks of these sizes, used cyclically. */
function redactInChunks(
  redactor: Redactor,
  whole: string,
  sizes: readonly number[],
  isCut: boolean,
): readonly string[] {
  const stream = redactor.stream(false);
  const pieces: string[] = [];
  for (let at = 0, count = 0; at < whole.length; count += 1) {
    const size = sizes[count % sizes.length] ?? 1;
    pieces.push(stream.feed(whole.slice(at, at + size)));
    at += size;
  }
  return [...pieces, stream.end(isCut)];
}
const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 3_000 })), {
  minLength: 1,
  maxLength: 8,
});

describe("for every text and every way to split it into chunks", () => {
  it("the released pieces together equal the masked whole text", () => {
    fc.assert(
      fc.property(text, sizes, fc.boolean(), (whole, cuts, isCut) => {
        expect(redactInChunks(redactor, whole, cuts, isCut).join("")).toBe(redactor.text(whole, { end: isCut }));
      }),
      { numRuns: lawRuns(300) },
    );
  });

  it("no piece ends within a surrogate pair", () => {
    fc.assert(
      fc.property(text, sizes, (whole, cuts) => {
        const released = redactInChunks(redactor, whole, cuts, false);
        expect(released.slice(0, -1).every((piece) => piece === "" || !/[\ud800-\udbff]$/.test(piece))).toBe(true);
      }),
      { numRuns: lawRuns(100) },
    );
  });

  it("no six-character part of a secret is released, wherever the text is cut", () => {
    const marks = [
      "Zk4-Zk",
      "Qv lon",
      "Qw phr",
      "Lm1-fi",
      "Lm2-se",
      "Vb7Vb7",
      "Hj5Hj5",
      "Nx9Nx9",
      keyBody.slice(9, 15),
    ];
    const secret = fc.constantFrom(...knownSecrets, ...shapedSecrets, wholeKey, JSON.stringify(wholeKey));
    const plain = fc.constantFrom("word", "a b", "中文", "x=1", "Qy", "my", "(");
    const gap = fc.constantFrom(" ", "\n", '"', "，", "\t");
    const broken = fc.array(fc.tuple(fc.oneof(secret, plain), gap), { maxLength: 12 });
    fc.assert(
      fc.property(broken, sizes, fc.nat(), (parts, cuts, at) => {
        const whole = parts.flat().join("");
        const prefix = whole.slice(0, at % (whole.length + 1));
        const shown = redactInChunks(redactor, prefix, cuts, true).join("");
        for (const part of marks) expect(shown).not.toContain(part);
      }),
      { numRuns: lawRuns(300) },
    );
  });

  it("at most a word, the lines of a key or a begun secret is held back", () => {
    fc.assert(
      fc.property(text, sizes, (whole, cuts) => {
        const stream = redactor.stream(false);
        let released = "";
        for (let at = 0, count = 0; at < whole.length; count += 1) {
          const size = cuts[count % cuts.length] ?? 1;
          released += stream.feed(whole.slice(at, at + size));
          at += size;
        }
        const rest = stream.end(false);
        expect(rest.length).toBeLessThan(2 * serverLimits.redactHoldChars + 1_000);
        expect(released + rest).toBe(redactor.text(whole));
      }),
      { numRuns: lawRuns(100) },
    );
  });
});

describe("a text crafted to be slow to mask is masked in time", () => {
  it.each([
    ["a", "a".repeat(4_000)],
    ["sk-", "sk-".repeat(1_300)],
    ["://a:", "://a:".repeat(800)],
    ["a://", "a://".repeat(1_000)],
    ["password", "password".repeat(500)],
    ["password=", "password=(".repeat(400)],
    ["token=", "token=".repeat(600)],
    ["&token=", "&token=".repeat(500)],
    ["eyJ", "eyJ".repeat(1_300)],
    ["Bearer", `Bearer ${"aB".repeat(2_000)}`],
    ["A_", "A_".repeat(2_000)],
  ])("%s", (_name, piece) => {
    // Steps are limited by the word's length: a hundred such words still finish.
    expect(redactor.text(`${piece} `.repeat(100))).not.toBe("");
  });
});

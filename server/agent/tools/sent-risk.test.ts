import { describe, expect, test } from "vitest";
import { findSentRisk } from "./sent-risk";

const secret = "correct-horse-battery";
const toBase64 = (text: string): string => Buffer.from(text).toString("base64");
const [base64, hex] = [toBase64(secret), Buffer.from(secret).toString("hex")];
const longQuery = `https://docs.example.com/find?q=${"a".repeat(99)}`;
const risk = (sent: string, wasSeen = false) => findSentRisk(sent, { secrets: [secret], wasSeen: async () => wasSeen });

describe("a request holds a secret", () => {
  test.each([
    ["as it is", `https://docs.example.com/?k=${secret}`],
    ["in the path", `https://docs.example.com/${secret}/x`],
    ["in the host", `https://${secret}.example.com/`],
    ["in capitals", `https://docs.example.com/${secret.toUpperCase()}`],
    ["as base64", `https://docs.example.com/?k=${Buffer.from(secret).toString("base64url")}`],
    ["as hex", `https://docs.example.com/?k=${Buffer.from(secret).toString("hex")}`],
    [
      "with every character encoded",
      `https://docs.example.com/?k=${Buffer.from(secret).toString("hex").replace(/../g, "%$&")}`,
    ],
    ["with one character encoded", `https://docs.example.com/?k=%63${secret.slice(1)}`],
    ["as hex in mixed case", `https://docs.example.com/${hex.replace(/[a-f]/, (digit) => digit.toUpperCase())}`],
    ["as hex with separators", `https://docs.example.com/?k=${hex.replace(/..(?!$)/g, "$&:")}`],
    ["as hex in code", `https://docs.example.com/?k=${hex.replace(/../g, "0x$&,")}`],
    ["as hex with escapes", `https://docs.example.com/?k=${encodeURIComponent(hex.replace(/../g, "\\x$&"))}`],
    ["as hex in folders", `https://docs.example.com/${hex.replace(/..(?!$)/g, "$&/")}`],
    ["as hex behind other digits", `https://docs.example.com/?id=00${hex}`],
    ["as base64 in a path", `https://docs.example.com/a/${base64}/b`],
    ["as base64 of more text", `https://docs.example.com/?k=${toBase64(`x=${secret}&y`)}`],
    ["as base64 of base64", `https://docs.example.com/?k=${toBase64(base64)}`],
    ["as base64 of hex", `https://docs.example.com/?k=${toBase64(hex)}`],
    ["as hex of base64", `https://docs.example.com/?k=${Buffer.from(base64).toString("hex")}`],
    ["as base64 with codes", `https://docs.example.com/?k=${encodeURIComponent(encodeURIComponent(`${base64}=`))}`],
    ["as base64 in the words of a search", `decode ${base64} please`],
    ["in the words of a search", `what is ${secret}`],
  ])("%s", async (_how, sent) => expect(await risk(sent, true)).toBe("holds_secret"));

  test("with the shape of a key in base64 or hex", async () => {
    const key = `ghp_${"a1B2".repeat(9)}`;
    for (const text of [toBase64(key), Buffer.from(key).toString("hex")])
      expect(await risk(`https://docs.example.com/?k=${text}`, true)).toBe("holds_secret");
  });

  test.each([
    "https://docs.example.com/api/v1/commit/3f786850e387550fdab836ed7e6dc881de23001b",
    "https://docs.example.com/a/very-long-path_with-words/and/more-of-them/index.html?page=2",
    `https://docs.example.com/?data=${Buffer.from("the quick brown fox jumps over the lazy dog").toString("base64")}`,
  ])("never %s", async (address) => expect(await risk(address, true)).toBeNull());

  test("with the shape of a key", async () => {
    expect(await risk(`https://docs.example.com/?k=ghp_${"a1B2".repeat(9)}`, true)).toBe("holds_secret");
  });
});

describe("a long query", () => {
  test("that only the model wrote is a risk", async () => expect(await risk(longQuery.concat("b"))).toBe("unseen_url"));
  test("that the conversation has is none", async () => expect(await risk(longQuery.concat("b"), true)).toBeNull());
  test.each(["https://docs.example.com/?q=", "docs.example.com/?q="])(
    "is known by %s and its own characters",
    async (start) => {
      const text = `see ${start}${"鼠".repeat(50)}.`;
      const sent = `https://docs.example.com/?q=${encodeURIComponent("鼠".repeat(50))}`;
      expect(await findSentRisk(sent, { secrets: [], wasSeen: async (one) => text.includes(one) })).toBeNull();
    },
  );
  test("begins above 100 characters", async () => {
    expect(await risk(`https://docs.example.com/?${"a".repeat(99)}`)).toBeNull();
    expect(await risk(`https://docs.example.com/?${"a".repeat(100)}`)).toBe("unseen_url");
  });
  test.each([
    ["of words", "word ".repeat(60)],
    ["with a colon", `error: ${"cannot read property of undefined ".repeat(6)}`],
    ["by a field", `site:docs.example.com ${"how to configure a proxy ".repeat(8)}`],
    ["for an address without http", `mailto:${"a".repeat(200)}`],
  ])("is not a long search %s", async (_what, words) => expect(await risk(words)).toBeNull());
});

import { describe, expect, test } from "vitest";
import { factTypes } from "@/lib/events/error-facts";
import { loadConversationMessages } from "./conversation-messages";
import { en } from "./en";
import { createFigures } from "./figures";
import { resolveLocale } from "./resolve-locale";
import { loadLateMessages } from "./full-messages";
import { loadSharingMessages } from "./sharing-messages";
import { zhCN } from "./zh-CN";

type Leaf = readonly [path: string, value: unknown];

/** A marked value of each fact. */
const markedFacts = Object.fromEntries(
  Object.entries(factTypes).map(([name, type], index) => {
    const mark = 7101 + index;
    if (type === "list") return [name, [{ url: `https://${mark}/` }]];
    if (type === "texts") return [name, [`${mark}`]];
    return [name, type === "flag" ? true : /^number(?: or null)?$/.test(type) ? mark : `${mark}`];
  }),
);

const markedContext = {
  tokens: String,
  bytes: String,
  duration: String,
  chat: { limit: (steps: number) => `${steps}`, missing: (model: string) => model },
  host: "7901",
  call: "7902",
  isLatest: false,
};

/** Facts that change the sentence of an error: all of them, each one left out, and values with a sentence of their own. */
const factChanges: readonly { readonly [name: string]: unknown }[] = [
  {},
  // Lists are always given with their reason.
  ...Object.entries(factTypes).flatMap(([name, type]) =>
    /^(?:texts|list)$/.test(type) ? [] : [{ [name]: undefined }],
  ),
  { addresses: [] },
  { exit: null },
  { exit: null, signal: null },
  { expected: "a value" },
  { expected: "at most 9 levels" },
  { isMemoryKill: false, signal: "SIGKILL" },
  { period: 1 },
  { place: "file" },
  { place: "folder" },
  { program: "npx" },
  { same: false },
  { scopes: "" },
  { signal: "SIGKILL" },
  { status: 0 },
  { hasOtherFile: false, privateHost: undefined },
  { hasOtherFile: false, privateHost: undefined, status: 0 },
];

/** The sentences that a table of sentences has for an error. */
const sentenceLeaves = (sentence: object, path: string): readonly Leaf[] =>
  typeof sentence !== "function"
    ? []
    : [markedContext, { ...markedContext, isLatest: true }, { ...markedContext, isLatest: undefined }].flatMap(
        (context, index) =>
          factChanges.flatMap((change, variant): readonly Leaf[] => {
            const text: unknown = Reflect.apply(sentence, undefined, [{ ...markedFacts, ...change }, context]);
            return text ? [[`${path} ${index} ${variant} ${Object.keys(change).join()}`, text]] : [];
          }),
      );

function leaves(value: unknown, path = ""): readonly Leaf[] {
  if (typeof value === "function" && /(?:^|\.)(?:reasons|sentences|errorFacts)\.\w+$/.test(path))
    return sentenceLeaves(value, path);
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path === "" ? key : `${path}.${key}`));
}

/** Calls a message with marked arguments and returns its text and the marks in it. */
function filled(value: unknown): { readonly text: string; readonly marks: readonly string[] } {
  const source = typeof value === "function" ? Array.from({ length: value.length }, (_, index) => 7001 + index) : [];
  const text = String(typeof value === "function" ? Reflect.apply(value, undefined, source) : value);
  return { text, marks: [...new Set(text.match(/7\d{3}/g))].sort() };
}

const english = leaves({
  ...en,
  ...(await loadLateMessages("en")),
  ...(await loadSharingMessages("en")),
  ...(await loadConversationMessages("en")),
  figures: "figures 数字",
});
const chinese = new Map(
  leaves({
    ...zhCN,
    ...(await loadLateMessages("zh-CN")),
    ...(await loadSharingMessages("zh-CN")),
    ...(await loadConversationMessages("zh-CN")),
    figures: "figures 数字",
  }),
);

describe("catalogues", () => {
  test("have the same keys", () => {
    expect([...chinese.keys()].sort()).toEqual(english.map(([path]) => path).sort());
  });

  test("have no empty message", () => {
    for (const [path, value] of [...english, ...chinese]) expect(filled(value).text.trim(), path).not.toBe("");
  });

  test("contain the same arguments in both languages", () => {
    for (const [path, value] of english) {
      const other = chinese.get(path);
      expect(typeof other, path).toBe(typeof value);
      expect(filled(other).marks, path).toEqual(filled(value).marks);
    }
  });

  test("use every argument of a message", () => {
    for (const [path, value] of english) {
      if (typeof value === "function" && path !== "tools.lines")
        expect(filled(value).marks, path).toHaveLength(value.length);
    }
  });

  test("translate every English message of more than one word", () => {
    for (const [path, value] of english) {
      if (!/[a-z]{2,} [a-z]{2,}/.test(filled(value).text)) continue;
      expect(filled(chinese.get(path)).text, path).toMatch(/\p{Script=Han}/u);
    }
  });

  test("have one Chinese name for the machine that runs this program", () => {
    for (const [path, value] of chinese)
      expect(filled(value).text, path).not.toMatch(/本机|这台电脑|(这台|本|此|该)机器/);
  });
});

describe("figures", () => {
  const figures = createFigures("en", {
    milliseconds: "ms",
    seconds: "s",
    minutes: "min",
    hours: "h",
    tokensPerSecond: "tok/s",
    justNow: "now",
  });

  test.each([
    [0, "0 ms"],
    [94, "94 ms"],
    [300, "0.3 s"],
    [3_240, "3.2 s"],
    [9_940, "9.9 s"],
    [9_960, "10 s"],
    [59_400, "59 s"],
    [59_600, "1 min"],
    [65_000, "1 min 5 s"],
    [3_599_600, "1 h"],
    [3_840_000, "1 h 4 min"],
    [-5, "0 ms"],
  ])("formats %d ms as %s", (ms, text) => expect(figures.duration(ms)).toBe(text));

  test.each([
    [812, "812\u00a0B"],
    [999, "999\u00a0B"],
    [1000, "1\u00a0kB"],
    [999_600, "1\u00a0MB"],
    [4_700_000_000, "4.7\u00a0GB"],
    [19_000_000_000, "19\u00a0GB"],
  ])("formats %d bytes as %s, which does not break before its unit", (count, text) =>
    expect(figures.bytes(count)).toBe(text),
  );

  test.each([
    [812, "812"],
    [16_384, "16k"],
    [4096, "4k"],
    [9_412, "9.4k"],
    [18_500, "18.5k"],
    [20_480, "20k"],
    [32_000, "32k"],
    [99_940, "99.9k"],
    [99_960, "100k"],
    [131_072, "128k"],
    [999_400, "999k"],
    [999_600, "1M"],
    [1_048_576, "1M"],
    [1_500_000, "1.5M"],
  ])("formats %d tokens as %s", (count, text) => expect(figures.tokens(count)).toBe(text));

  test.each([
    [3.14, "3.1 tok/s"],
    [31.2, "31 tok/s"],
    [999, "999 tok/s"],
    [25_933, "> 999 tok/s"],
  ])("formats %d tokens per second as %s", (speed, text) => expect(figures.speed(speed)).toBe(text));

  test("formats an age in the largest fitting unit", () => {
    const now = new Date(2026, 10, 20, 12).getTime();
    const minute = 60_000;
    expect(figures.age(now - 30_000, now)).toBe("now");
    expect(figures.age(now + 5_000, now)).toBe("now");
    expect(figures.age(now - 2 * minute, now)).toBe("2 min");
    expect(figures.age(now - 180 * minute, now)).toBe("3 h");
    expect(figures.age(now - 3 * 1440 * minute, now)).toBe("Tue");
    expect(figures.age(new Date(2026, 9, 12).getTime(), now)).toBe("12 Oct");
    expect(figures.age(new Date(2025, 2, 3).getTime(), now)).toBe("3 Mar 2025");
  });
});

test("the language follows the setting, then the browser, then English", () => {
  expect(resolveLocale("zh-CN", ["en"])).toBe("zh-CN");
  expect(resolveLocale("system", ["fr", "zh-TW", "en"])).toBe("zh-CN");
  expect(resolveLocale("system", ["en-GB", "zh"])).toBe("en");
  expect(resolveLocale("system", ["fr"])).toBe("en");
  expect(resolveLocale("system", [])).toBe("en");
});

test.each(["en", "zh-CN"] as const)("a broken file is corrected on the page that has its text: %s", async (locale) => {
  const { errors } = locale === "en" ? en : zhCN;
  const { agentSections, appSections } = await loadLateMessages(locale);
  expect(errors.sentences.config_invalid).toContain(appSections.yaml.title);
  expect(errors.sentences.models_invalid).toContain(agentSections.model.title);
});

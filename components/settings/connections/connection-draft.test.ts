import { describe, expect, test } from "vitest";
import type { Connection, ConnectionPreset } from "@/lib/models/models";
import {
  type ConnectionDraft,
  toConnectionDraft,
  draftProblems,
  emptyDraft,
  unusedName,
  isSameDraft,
  moveCredentials,
  serverFieldProblem,
  toSaveInput,
} from "./connection-draft";

const draft: ConnectionDraft = {
  preset: "vllm",
  name: "Cellar",
  baseUrl: "http://192.168.1.20:8000/v1",
  model: "qwen3-coder",
  temperature: "",
  numCtx: 0,
  key: null,
  keyUse: null,
  sessionHeader: { use: "address", name: "x-session-id" },
  atOnce: "",
};
const connection: Connection = {
  id: "c1",
  name: "Cellar",
  preset: "vllm",
  baseUrl: "http://192.168.1.20:8000/v1",
  model: "qwen3-coder",
  temperature: 0.3,
  numCtx: 32_768,
  key: { from: "file" },
  local: true,
};
const preset: ConnectionPreset = {
  id: "vllm",
  name: "vLLM",
  baseUrl: "http://127.0.0.1:8000/v1",
  needsKey: false,
  local: true,
  keyEnvironment: [],
};

describe("draftProblems", () => {
  const cases: readonly [Partial<ConnectionDraft>, ReturnType<typeof draftProblems>][] = [
    [{}, {}],
    [{ name: "  " }, { name: "nameEmpty" }],
    [{ model: "" }, {}],
    [{ baseUrl: "" }, { baseUrl: "baseUrlBad" }],
    [{ baseUrl: "192.168.1.20:8000" }, {}],
    [{ baseUrl: "[::1]:8000/v1" }, {}],
    [{ baseUrl: ":secret@example.org" }, { baseUrl: "baseUrlCredentials" }],
    [{ baseUrl: "https://example.org/v1#key" }, { baseUrl: "baseUrlBad" }],
    [{ baseUrl: "ftp://example.org/v1" }, { baseUrl: "baseUrlBad" }],
    [{ baseUrl: "https://" }, { baseUrl: "baseUrlBad" }],
    [{ baseUrl: "https://a b/v1" }, { baseUrl: "baseUrlBad" }],
    [{ baseUrl: "  https://example.org/v1  " }, {}],
    [{ baseUrl: "https://me:secret@example.org/v1" }, {}],
    [{ baseUrl: "https://me:secret@a b" }, { baseUrl: "baseUrlBad" }],
    [{ preset: "ollama", baseUrl: "attic" }, {}],
    [{ preset: "ollama", baseUrl: ":8000" }, {}],
    [{ preset: "ollama", baseUrl: "" }, { baseUrl: "baseUrlBad" }],
    [{ preset: "ollama", baseUrl: "attic:99999" }, { baseUrl: "baseUrlBad" }],
    [{ preset: "ollama", baseUrl: "me:secret@attic" }, {}],
    [{ temperature: "0,7" }, {}],
    [{ temperature: "2" }, {}],
    [{ temperature: "2.1" }, { temperature: "temperatureBad" }],
    [{ temperature: "-1" }, { temperature: "temperatureBad" }],
    [{ temperature: "warm" }, { temperature: "temperatureBad" }],
    [{ key: "" }, {}],
    [{ key: " sk-123 " }, {}],
    [{ key: "sk 123" }, { key: "keyBad" }],
    [{ key: "密钥" }, { key: "keyBad" }],
    [{ key: "密 钥", keyUse: { as: "password", name: "me" } }, {}],
    [{ keyUse: { as: "password", name: " " } }, { keyUse: "keyUseBad" }],
    [{ keyUse: { as: "header", name: " X-Api-Key " } }, {}],
    [{ keyUse: { as: "header", name: "Host" } }, { keyUse: "keyUseBad" }],
    [{ sessionHeader: { use: "off", name: "" } }, {}],
    [{ sessionHeader: { use: "header", name: "" } }, { sessionHeader: "sessionHeaderBad" }],
    [{ sessionHeader: { use: "header", name: "Host" } }, { sessionHeader: "sessionHeaderBad" }],
    [
      { sessionHeader: { use: "header", name: "x-key" }, keyUse: { as: "header", name: "X-Key" } },
      { sessionHeader: "sessionHeaderBad" },
    ],
    [{ atOnce: " 32 " }, {}],
    [{ atOnce: "33" }, { atOnce: "atOnceBad" }],
    [{ atOnce: "0" }, { atOnce: "atOnceBad" }],
    [{ atOnce: "1.5" }, { atOnce: "atOnceBad" }],
    [
      { name: "", baseUrl: "a b", temperature: "x", key: "a b" },
      { name: "nameEmpty", baseUrl: "baseUrlBad", temperature: "temperatureBad", key: "keyBad" },
    ],
  ];
  test.each(cases)("%j", (change, problems) => expect(draftProblems({ ...draft, ...change })).toEqual(problems));
});

test.each([
  [{ code: "bad_input", facts: { field: "baseUrl" } }, { baseUrl: "baseUrlBad" }],
  [{ code: "bad_input", facts: { field: "key" } }, { key: "keyBad" }],
  [{ code: "bad_input", facts: { field: "name" } }, { name: "nameEmpty" }],
  [{ code: "bad_input", facts: { field: "keyUse" } }, { keyUse: "keyUseBad" }],
  [{ code: "bad_input" }, null],
  [{ code: "too_many", facts: { limit: 1 } }, null],
] as const)("a server error is assigned to its field: %j", (error, problems) =>
  expect(serverFieldProblem(error)).toEqual(problems),
);

describe("toSaveInput", () => {
  test("returns null for an invalid draft", () => {
    expect(toSaveInput({ ...draft, name: "" }, {})).toBeNull();
    expect(toSaveInput({ ...draft, temperature: "x" }, {})).toBeNull();
  });
  test("a new connection has no id, and a key that was not typed is not sent", () => {
    expect(toSaveInput({ ...draft, name: " Cellar " }, {})).toEqual({
      preset: "vllm",
      name: "Cellar",
      baseUrl: "http://192.168.1.20:8000/v1",
      model: "qwen3-coder",
      numCtx: 0,
    });
  });
  test("a typed key is trimmed, an empty key deletes the stored one", () => {
    expect(toSaveInput({ ...draft, key: " sk-1\n" }, { id: "c1" })).toMatchObject({
      id: "c1",
      key: "sk-1",
    });
    expect(toSaveInput({ ...draft, key: "" }, { id: "c1" })).toMatchObject({ key: "" });
  });
  test("a decimal comma in the temperature is accepted", () => {
    expect(toSaveInput({ ...draft, temperature: "0,7" }, {})).toMatchObject({ temperature: 0.7 });
  });
});

test("the draft of a stored connection has no changes and never contains the key", () => {
  const stored = toConnectionDraft(connection);
  expect(stored).toEqual({ ...draft, temperature: "0.3", numCtx: 32_768 });
  expect(isSameDraft(stored, toConnectionDraft(connection))).toBe(true);
  expect(isSameDraft(stored, { ...stored, key: "" })).toBe(false);
  expect(toSaveInput(stored, { id: "c1" })).not.toHaveProperty("key");
});

test("how the key is sent is kept, and sent without spaces around the name", () => {
  const keyUse = { as: "header", name: "X-Api-Key" } as const;
  const stored = toConnectionDraft({ ...connection, keyUse });
  expect(stored.keyUse).toEqual(keyUse);
  expect(toSaveInput({ ...stored, keyUse: { ...keyUse, name: " X-Api-Key " } }, {})).toHaveProperty("keyUse", keyUse);
  expect(toSaveInput({ ...stored, keyUse: null }, {})).not.toHaveProperty("keyUse");
});

test.each([
  [{}, { use: "address", name: "x-session-id" }],
  [{ sessionHeader: "" }, { use: "off", name: "x-session-id" }],
  [
    { sessionHeader: "x-dynamo-session-id", atOnce: 3 },
    { use: "header", name: "x-dynamo-session-id" },
  ],
])("the session header and the answers at once of %j are kept", (routing, sessionHeader) => {
  const stored = toConnectionDraft({ ...connection, ...routing });
  expect(stored.sessionHeader).toEqual(sessionHeader);
  const { sessionHeader: header, atOnce } = toSaveInput(stored, {}) ?? {};
  expect({ sessionHeader: header, atOnce }).toEqual({ sessionHeader: undefined, atOnce: undefined, ...routing });
});

test("user name and password of an address are moved to their fields", () => {
  expect(moveCredentials({ ...draft, baseUrl: "https://me:secret@example.org/v1" })).toEqual({
    baseUrl: "https://example.org/v1",
    keyUse: { as: "password", name: "me" },
    key: "secret",
  });
  expect(moveCredentials(draft)).toBeNull();
});

test("a new draft has the preset's address and an unused name", () => {
  expect(emptyDraft(preset, unusedName("vLLM", ["vLLM", "vLLM 2"]))).toMatchObject({
    name: "vLLM 3",
    baseUrl: "http://127.0.0.1:8000/v1",
    key: null,
  });
  expect(unusedName("vLLM", [])).toBe("vLLM");
});

import { expect, test } from "vitest";
import { isKeyUseValid, isKeyValid, type KeyUse, splitCredentials } from "./key-use";

const password: KeyUse = { as: "password", name: "me" };
const header: KeyUse = { as: "header", name: "X-Api-Key" };

test.each<[KeyUse, boolean]>([
  [password, true],
  [{ as: "password", name: "Jörg Müller" }, true],
  [{ as: "password", name: "" }, false],
  [{ as: "password", name: "a:b" }, false],
  [{ as: "password", name: "a\r\nb" }, false],
  [header, true],
  [{ as: "header", name: "Authorization" }, true],
  [{ as: "header", name: "cookie" }, true],
  ...["", "X Api", "X:Y", "Schlüssel", "a\nb", "Host", "content-length", "Content-Type", "CONNECTION", "Accept"].map(
    (name): [KeyUse, boolean] => [{ as: "header", name }, false],
  ),
  ...["Transfer-Encoding", "TE", "Upgrade", "User-Agent", "Proxy-Authorization", "Sec-Fetch-Site", "Expect"].map(
    (name): [KeyUse, boolean] => [{ as: "header", name }, false],
  ),
])("a key can be sent as %j: %j", (use, isValid) => expect(isKeyUseValid(use)).toBe(isValid));

test.each<[string, KeyUse | undefined, boolean]>([
  ["sk-1", undefined, true],
  ["a b", undefined, false],
  ["пароль", undefined, false],
  ["a b", header, true],
  ["a\tb", header, false],
  ["ü", header, false],
  ["пароль mit Abstand", password, true],
  ["a\nb", password, false],
])("the key %j is valid for %j: %j", (key, use, isValid) => expect(isKeyValid(key, use)).toBe(isValid));

test.each<[string, ReturnType<typeof splitCredentials>]>([
  ["https://me:pw@host/v1", { address: "https://host/v1", keyUse: password, key: "pw" }],
  ["me:pw@host:8080", { address: "host:8080", keyUse: password, key: "pw" }],
  ["  'http://me:pw@host'", { address: "  'http://host'", keyUse: password, key: "pw" }],
  ["https://me@host", { address: "https://host", keyUse: password }],
  ["https://me:@host", { address: "https://host", keyUse: password }],
  ["https://me:p%40%3Aw@host", { address: "https://host", keyUse: password, key: "p@:w" }],
  ["https://me:p@:w@host", { address: "https://host", keyUse: password, key: "p@:w" }],
  ["https://me:100%@host", { address: "https://host", keyUse: password, key: "100%" }],
  ["http://me:pw@[::1]:8080/x?y=@z", { address: "http://[::1]:8080/x?y=@z", keyUse: password, key: "pw" }],
  ["https://host/@me/v1", null],
  ["https://host", null],
  ["https://:pw@host", null],
  ["https://me:pw@", null],
])("the address %j is split", (text, parts) => expect(splitCredentials(text)).toEqual(parts));

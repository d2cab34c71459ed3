import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { networkFileSystem } from "./network-file-system";

test.each([
  [0x6969, "NFS"],
  [0xff534d42, "SMB"],
  // The same, read as a signed number.
  [0xff534d42 | 0, "SMB"],
  [0x0bd00bd0, "Lustre"],
  [0xef53, null],
  [0, null],
])("the type %i is %s", (type, name) => expect(networkFileSystem("/x", () => type)).toBe(name));

test("a local folder and one that does not exist are on none", () => {
  expect(networkFileSystem(tmpdir())).toBeNull();
  expect(networkFileSystem("/no/such/folder")).toBeNull();
});

import { expect, test } from "vitest";
import { isRefName } from "./ref-name";

test("names of branches and tags are those that git accepts", () => {
  for (const name of ["main", "fix/价格", "v1.0", "a@b", "a.b/c-d", "#12"])
    expect.soft(isRefName(name), name).toBe(true);
  const refused = ["", "a b", "a..b", "-a", "@", "a@{1}", "a.", ".a", "a/.b", "a.lock", "a.lock/b", "/a", "a/", "a//b"];
  for (const name of [...refused, "a~1", "a^", "a:b", "a?", "a*", "a[", "a\\b", "a\tb", "HEAD"])
    expect.soft(isRefName(name), name).toBe(false);
});

import { describe, expect, it } from "vitest";
import { parsePublicUrls } from "./public-address";

describe("the public address", () => {
  it.each([
    ["https://ide.example.org", ["https://ide.example.org"], ""],
    ["https://IDE.example.org:443/", ["https://ide.example.org"], ""],
    ["http://10.0.0.5:8080/alice/", ["http://10.0.0.5:8080"], "/alice"],
    ["https://ide.example.org/apis/api/", ["https://ide.example.org"], "/apis/api"],
    ["https://hub.example.org/user/x%40y/two", ["https://hub.example.org"], "/user/x%40y/two"],
    ["https://c.example.org/@owner/ws/apps/gopi~1/", ["https://c.example.org"], "/@owner/ws/apps/gopi~1"],
    ["https://a.example/x/, http://b.local/x", ["https://a.example", "http://b.local"], "/x"],
  ])("%s has the origins %j and the prefix %s", (text, origins, prefix) => {
    expect(parsePublicUrls(text)).toEqual({ origins, prefix });
  });

  it.each([
    ["", "not_an_address"],
    ["ide.example.org", "not_an_address"],
    ["ftp://ide.example.org/", "not_an_address"],
    ["https://", "not_an_address"],
    ["https://user:pw@ide.example.org/", "not_an_address"],
    ["https://ide.example.org/?a=1", "not_an_address"],
    ["https://ide.example.org/#x", "not_an_address"],
    ["https://ide.example.org/,", "not_an_address"],
    ["https://a.example/x/,https://b.example/y/", "different_paths"],
    // Once a proxy has removed it, such a path cannot be distinguished from one of this server.
    ["https://ide.example.org/api/", "own_path"],
    ["https://ide.example.org/socket.io/x/", "own_path"],
    ["https://ide.example.org/a//b/", "bad_path"],
    ["https://ide.example.org/a%2fb/", "bad_path"],
    ["https://ide.example.org/a%2Eb/", "bad_path"],
    ["https://ide.example.org/a%25b/", "bad_path"],
    ["https://ide.example.org/a'b/", "bad_path"],
    ["https://ide.example.org/a;b/", "bad_path"],
    ["https://ide.example.org/a&amp/", "bad_path"],
  ])("%s is refused: %s", (text, problem) => {
    expect(parsePublicUrls(text)).toBe(problem);
  });
});

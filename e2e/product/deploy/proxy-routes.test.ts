// The table of routes that the proxies are tested with has every route of the server.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { routeChecks } from "./route-checks";

const root = join(import.meta.dirname, "../../..");

/** Paths in the code of the server's routes. */
function findRoutes(): readonly string[] {
  const folders = ["http", "socket", "auth"].map((name) => join(root, "server/transport", name));
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const texts = files.filter((path) => !/\btest-|\.test\.ts$/.test(path)).map((path) => readFileSync(path, "utf8"));
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(/"(\/[a-z_][^"\s\\]*)"/g)].map(([, path = ""]) => path))),
  ];
}

test("each route in the code of the server is tested behind the proxies", () => {
  expect(findRoutes().toSorted()).toEqual(Object.keys(routeChecks).toSorted());
});

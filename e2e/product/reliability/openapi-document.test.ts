/** `npm run soak -- --openapi FILE`, with a small document in place of a real one. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { addDocument, describeReport } from "../../soak/openapi-document";

test("a real document of the owner is added, with the reason of each operation that is no tool", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gopi-document-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "api.json");
  const text = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Photos", version: "1" },
    paths: {
      "/photos": {
        get: { operationId: "listPhotos", summary: "Lists photos" },
        post: { operationId: "addPhoto", requestBody: { required: true, content: { "image/png": {} } } },
      },
    },
  });
  writeFileSync(path, text);
  const report = await addDocument(path);
  expect(report).toMatchObject({ bytes: text.length, format: "OpenAPI 3.1.0", operations: 2, tools: 1 });
  const [head, ...lines] = describeReport(report);
  expect(head).toMatch(/^OpenAPI 3\.1\.0, 0\.0 MB: added in \d+ ms, JSON\.parse of it alone \d+ ms$/);
  expect(lines).toEqual(["1 of 2 operations are tools", "  POST /photos: body_type (image/png)"]);
});

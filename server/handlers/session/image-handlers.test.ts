/**
 * Tests of the image commands: images are stored by the type of their bytes, for models with vision; nothing else can
 * be read.
 */
import { expect, test } from "vitest";
import { commands } from "@/lib/protocol/command";
import { asId, type BlobId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { computeBlobId } from "@/server/base/id";
import { makeTestServices } from "@/server/session/testing/test-services";
import { imageHandlers } from "./image-handlers";

const heads: readonly (readonly [mime: string, head: string])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF89a"],
  ["image/webp", "RIFF\0\0\0\0WEBP"],
];

function scene() {
  const core = makeTestServices({
    sessionServices: (built) => ({
      ...built,
      seesImages: (model) => model?.model === "sees" && model.provider === "cellar",
    }),
  }).services();
  return { blobs: core.store.blobs, table: imageHandlers(core) };
}

const base64 = (text: string): string => Buffer.from(text, "latin1").toString("base64");

test.each(heads)("%s is detected by its bytes, and its bytes are read back", (mime, head) => {
  const { table } = scene();
  const added = table["images.add"]({ data: base64(`${head}rest`) });
  if (!added.ok) throw new Error(added.error.code);
  expect(added.value.mime).toBe(mime);
  expect(table["images.read"]({ blob: added.value.blob })).toEqual({
    ok: true,
    value: { mime, data: base64(`${head}rest`) },
  });
});

test.each(["<svg xmlns='http://www.w3.org/2000/svg'/>", "BM bitmap", "%PDF-1.7", "text", "\x89PNG"])(
  "%j is not stored",
  (content) => {
    const { table, blobs } = scene();
    expect(table["images.add"]({ data: base64(content) })).toMatchObject({ ok: false, error: { code: "bad_image" } });
    expect(blobs.has(computeBlobId(Buffer.from(content, "latin1")))).toBe(false);
  },
);

test("an image over the limit is refused, by the input schema and by its bytes", () => {
  const { table } = scene();
  const most = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(limits.imageMaxBytes - 8)]);
  expect(table["images.add"]({ data: most.toString("base64") }).ok).toBe(true);
  const more = Buffer.concat([most, Buffer.from("x")]).toString("base64");
  expect(table["images.add"]({ data: more })).toMatchObject({ ok: false, error: { code: "too_large" } });
  expect(commands["images.add"].input.safeParse({ data: `${more}AAAA` }).success).toBe(false);
});

test("a model without vision is reported, on its server only; images are stored for any model", () => {
  const { table, blobs } = scene();
  expect(table["images.check"]({ model: "blind" })).toEqual({
    ok: false,
    error: { code: "no_vision", facts: { model: "blind" } },
  });
  expect(table["images.check"]({ model: "sees" })).toMatchObject({ error: { code: "no_vision" } });
  expect(table["images.check"]({ model: "sees", connection: "cellar" })).toEqual({ ok: true, value: null });
  expect(table["images.add"]({ data: base64("GIF89a") }).ok).toBe(true);
  expect(blobs.has(computeBlobId(Buffer.from("GIF89a")))).toBe(true);
});

test("a stored blob that is not an image is not found", () => {
  const { table, blobs } = scene();
  const blob = blobs.put(Buffer.from("the whole output of a command"));
  for (const id of [blob, asId<BlobId>("0".repeat(64))])
    expect(table["images.read"]({ blob: id })).toMatchObject({ ok: false, error: { code: "not_found" } });
});

test("a message accepts eight images, each with the hash and type returned by images.add", () => {
  const image = { blob: "a".repeat(64), mime: "image/png" };
  const sent = (images: readonly unknown[]): boolean =>
    commands["session.send"].input.safeParse({
      sessionId: "s1",
      commandId: "c1",
      text: "see",
      intent: "prompt",
      images,
    }).success;
  expect(sent(Array.from({ length: 8 }, () => image))).toBe(true);
  expect(sent(Array.from({ length: 9 }, () => image))).toBe(false);
  expect(sent([{ ...image, mime: "text/html" }])).toBe(false);
  expect(sent([{ ...image, blob: "../../secret" }])).toBe(false);
});

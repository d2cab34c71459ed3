// @vitest-environment happy-dom
/** Images of a draft, and the image chips. */
import { act, renderHook, waitFor } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { asId, type BlobId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { en } from "../../messages/en";
import { StaticMessages } from "../../messages/messages";
import { ImageChips } from "./image-chips";
import { type AddedImage, type DraftImages, imageFiles, useImageBlock, useImages } from "./use-images";

const file = (type: string): File => new File(["x"], "x", { type });
const blob = asId<BlobId>("b1");
const draft: DraftImages = {
  list: [],
  isAdding: false,
  refusal: null,
  remove: () => undefined,
  addAll: () => undefined,
  take: () => [],
  addFiles: () => false,
};
const chips = (images: Partial<DraftImages>): string =>
  renderToString(
    <StaticMessages messages={en}>
      <ImageChips images={{ ...draft, ...images }} block={null} load={() => Promise.resolve(null)} />
    </StaticMessages>,
  );

test("images are taken from a paste or drop up to the limit", () => {
  const files = [file("image/png"), file("text/plain"), file("image/webp")];
  expect(imageFiles(files, limits.messageImages)).toEqual({ taken: [files[0], files[2]], isTooMany: false });
  expect(imageFiles(files, 1)).toEqual({ taken: [files[0]], isTooMany: true });
  expect(imageFiles(files, 0)).toEqual({ taken: [], isTooMany: true });
  expect(imageFiles([file("text/plain"), file("image/svg+xml")], 8)).toBeNull();
});

test("an image chip has a remove button; a refusal is one sentence", () => {
  const shown = chips({ list: [{ blob, mime: "image/png" }] });
  expect(shown).toContain(en.composer.images);
  expect(shown).toContain(en.composer.removeImage(1));
  const sentence = en.composer.noVision("qwen2.5-coder:7b");
  expect(sentence).toBe("qwen2.5-coder:7b can't see images. Choose a model with vision, or remove the images.");
  expect(chips({ refusal: "No vision." })).toContain("No vision.");
});

/** Renders the hook once and returns its state. */
function renderImages(add?: (file: File) => Promise<AddedImage>): DraftImages {
  let images: DraftImages = draft;
  function Field() {
    images = useImages("s1", add);
    return null;
  }
  renderToString(
    <StaticMessages messages={en}>
      <Field />
    </StaticMessages>,
  );
  return images;
}

test("images among files are stored; other files are left", () => {
  const add = vi.fn((_given: File) => Promise.resolve<AddedImage>({ ok: false, refusal: "No." }));
  const { addFiles } = renderImages(add);
  const [png, text] = [file("image/png"), file("text/plain")];
  expect(addFiles([])).toBe(false);
  expect(addFiles([text])).toBe(false);
  expect(addFiles([text, png])).toBe(true);
  expect(add.mock.calls).toEqual([[png]]);
  expect(renderImages().addFiles([png])).toBe(false);
});

test("an image over the limit is not sent to the server", () => {
  const add = vi.fn((_given: File) => Promise.resolve<AddedImage>({ ok: false, refusal: "No." }));
  const large = file("image/png");
  Object.defineProperty(large, "size", { value: limits.imageMaxBytes + 1 });
  expect(renderImages(add).addFiles([large])).toBe(true);
  expect(add).not.toHaveBeenCalled();
});

test("images of a message that is pulled back are refused above the limit, with a sentence", () => {
  const image = (id: number) => ({ blob: asId<BlobId>(`b${id}`), mime: "image/png" as const });
  const images = Array.from({ length: limits.messageImages }, (_, id) => image(id));
  const { result } = renderHook(() => useImages("pulled", undefined), {
    wrapper: ({ children }) => <StaticMessages messages={en}>{children}</StaticMessages>,
  });
  act(() => result.current.addAll(images));
  expect(result.current.refusal).toBeNull();
  act(() => result.current.addAll([...images.slice(0, 2), image(99)]));
  expect(result.current.list).toEqual(images);
  expect(result.current.refusal).toBe(en.composer.tooManyImages(String(limits.messageImages)));
});

test("images wait for a model that can see them", async () => {
  const blind = (): Promise<string | null> => Promise.resolve("blind can't see images.");
  const hasVision = (): Promise<string | null> => Promise.resolve(null);
  const { result, rerender } = renderHook(({ has, check }) => useImageBlock(has, check), {
    initialProps: { has: false, check: blind },
  });
  expect(result.current).toBeNull();
  rerender({ has: true, check: blind });
  await waitFor(() => expect(result.current).toBe("blind can't see images."));
  rerender({ has: true, check: hasVision });
  expect(result.current).toBeNull();
  rerender({ has: true, check: blind });
  await waitFor(() => expect(result.current).toBe("blind can't see images."));
  rerender({ has: false, check: blind });
  expect(result.current).toBeNull();
});

/** Media types of the image files that browsers display. */
import { extensionOf } from "./project-path";

const typeByExtension: ReadonlyMap<string, string> = new Map([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["avif", "image/avif"],
  ["bmp", "image/bmp"],
  ["ico", "image/x-icon"],
  ["svg", "image/svg+xml"],
]);

/** By the name's extension; null = no image that a browser displays. */
export const imageTypeOf = (path: string): string | null => typeByExtension.get(extensionOf(path)) ?? null;

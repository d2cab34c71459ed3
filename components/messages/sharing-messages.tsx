"use client";
/** The messages of sharing and devices, which few screens use and which are loaded separately. */
import type { devices } from "./en/sharing/devices";
import type { share } from "./en/sharing/share";
import { createLateCatalogue } from "./late-catalogue";

export interface SharingMessages {
  readonly share: typeof share;
  readonly devices: typeof devices;
}

const catalogue = createLateCatalogue<SharingMessages>({
  en: async () => ({
    ...(await import("./en/sharing/share")),
    ...(await import("./en/sharing/devices")),
  }),
  "zh-CN": async () => ({
    ...(await import("./zh-CN/sharing/share")),
    ...(await import("./zh-CN/sharing/devices")),
  }),
});

export const loadSharingMessages = catalogue.load;
export const StaticSharingMessages = catalogue.Static;
export const useSharingMessages = catalogue.useCatalogue;

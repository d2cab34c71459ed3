"use client";
/** The messages of sharing and devices, which few screens use and which are loaded separately. */
import { createContext, type ReactNode, use } from "react";
import { loadOnce } from "@/lib/async/load-once";
import type { devices } from "./en/sharing/devices";
import type { share } from "./en/sharing/share";
import type { Locale } from "./figures";
import { useMessages } from "./messages";

export interface SharingMessages {
  readonly share: typeof share;
  readonly devices: typeof devices;
}

const sharingMessageLoaders: Record<Locale, () => Promise<SharingMessages>> = {
  en: loadOnce(async () => ({
    ...(await import("./en/sharing/share")),
    ...(await import("./en/sharing/devices")),
  })),
  "zh-CN": loadOnce(async () => ({
    ...(await import("./zh-CN/sharing/share")),
    ...(await import("./zh-CN/sharing/devices")),
  })),
};

/** Call it as early as possible, so that the hook does not have to suspend. */
export const loadSharingMessages = (locale: Locale): Promise<SharingMessages> => sharingMessageLoaders[locale]();

const StaticSharingContext = createContext<SharingMessages | null>(null);

/** Provides a loaded catalogue in tests. */
export function StaticSharingMessages({
  messages,
  children,
}: {
  readonly messages: SharingMessages;
  readonly children: ReactNode;
}) {
  return <StaticSharingContext value={messages}>{children}</StaticSharingContext>;
}

/** Suspends until the messages are loaded. */
export function useSharingMessages(): SharingMessages {
  const staticMessages = use(StaticSharingContext);
  return staticMessages ?? use(loadSharingMessages(useMessages().figures.locale));
}

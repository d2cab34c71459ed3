/** Language of the interface. */
import type { Settings } from "@/lib/settings/settings";
import type { Locale } from "./figures";

/** `system` follows the first supported language of the browser; default: English. */
export function resolveLocale(setting: Settings["language"], preferred: readonly string[]): Locale {
  if (setting !== "system") return setting;
  for (const tag of preferred) {
    const language = tag.toLowerCase().split("-")[0];
    if (language === "zh") return "zh-CN";
    if (language === "en") return "en";
  }
  return "en";
}

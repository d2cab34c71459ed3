/** Light or dark theme: set before the first paint by `themeBoot`, later by `applyTheme`. */
import type { Settings } from "@/lib/settings/settings";

const themeKey = "gopi-web.theme";

/**
 * Inline script of the page; the content security policy allows it by its hash. Follows the system's setting and its
 * changes while no theme is selected.
 */
export const themeBoot = `(()=>{const r=document.documentElement,m=matchMedia("(prefers-color-scheme: dark)"),f=()=>{let t=null;try{t=localStorage.getItem("${themeKey}")}catch{}r.dataset.theme=t==="dark"||t==="light"?t:m.matches?"dark":"light"};f();m.addEventListener("change",f)})()`;

/** Applies a theme and stores it for the next page load. */
export function applyTheme(theme: Settings["theme"]): void {
  try {
    if (theme === "system") localStorage.removeItem(themeKey);
    else localStorage.setItem(themeKey, theme);
  } catch {
    // Storage is disabled: the theme lasts until the next page load.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = theme === "system" ? (dark ? "dark" : "light") : theme;
}

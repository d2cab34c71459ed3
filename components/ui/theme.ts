/** Light or dark: decided before the first paint by `themeBoot`, afterwards by `applyTheme`. Used by app/layout and the settings. */
import type { Settings } from "@/lib/settings";

const key = "gopi-web.theme";

/**
 * Static text of the one inline script (its hash stands in the content security policy).
 * Follows the system while no theme is chosen, also when the system changes.
 */
export const themeBoot = `(()=>{const r=document.documentElement,m=matchMedia("(prefers-color-scheme: dark)"),f=()=>{let t=null;try{t=localStorage.getItem("${key}")}catch{}r.dataset.theme=t==="dark"||t==="light"?t:m.matches?"dark":"light"};f();m.addEventListener("change",f)})()`;

/** Shows a theme now and keeps it for the next load of this browser. */
export function applyTheme(theme: Settings["theme"]): void {
  try {
    if (theme === "system") localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // Storage is switched off: the choice lives until the next load.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = theme === "system" ? (dark ? "dark" : "light") : theme;
}

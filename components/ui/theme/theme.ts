/**
 * Look of the page: theme, text size, density and code font. `applyLook` states what the settings want in `data-appearance`; the
 * script of the page derives the attributes of globals.css from it, at the start from the look of the last visit.
 */
import type { Settings } from "@/lib/settings/settings";

const lookKey = "gopi-web.look";

/**
 * Inline script of the page, run before the first paint; the content security policy allows it by its hash. A theme that is
 * "system" follows the system's setting and its changes.
 */
export const lookBoot = `(()=>{const r=document.documentElement,d=r.dataset,m=matchMedia("(prefers-color-scheme: dark)"),f=()=>{const[t,s,n,c]=(d.appearance||"").split("|");d.theme=/^(light|dark)/.test(t)?t:m.matches?"dark":"light";d.textSize=s||"";d.density=n||"";c?r.style.setProperty("--code-font",JSON.stringify(c)):r.style.removeProperty("--code-font")};try{d.appearance=localStorage.getItem("${lookKey}")||""}catch{}f();m.addEventListener("change",f);new MutationObserver(f).observe(r,{attributeFilter:["data-appearance"]})})()`;

/** Applies a look and stores it for the next page load; without storage it lasts until then. */
export function applyLook({ theme, textSize, density, codeFont }: Settings): void {
  const look = [theme, textSize, density, codeFont].join("|");
  document.documentElement.dataset.appearance = look;
  try {
    localStorage.setItem(lookKey, look);
  } catch {
    // Storage is disabled.
  }
}

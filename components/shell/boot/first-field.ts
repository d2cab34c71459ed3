/**
 * Inline script that runs before React on the exported page: sets the message field's texts, draft and position, and
 * stores what the user types. The content security policy allows the script by its hash.
 */
import type { Locale } from "../../messages/figures";

interface FirstFieldFacts {
  readonly words: Readonly<Record<Locale, { readonly label: string; readonly placeholder: string }>>;
  /** px; minimum viewport width of the layouts with panes side by side. */
  readonly wideMinPx: number;
  readonly phoneMaxPx: number;
}

/** Returns the inline script. `</` is escaped because it would end the script element. */
export const firstFieldBoot = (facts: FirstFieldFacts): string =>
  `(${handleEarlyFields.toString()})();(${prepareFirstField.toString()})(${JSON.stringify(facts)})`.replaceAll(
    "</",
    "<\\/",
  );

/**
 * Handles keys and drafts of every early field, including those React renders later. Self-contained: the function is
 * serialised into the page.
 */
function handleEarlyFields(): void {
  const fieldOf = (event: Event): HTMLTextAreaElement | null =>
    event.target instanceof HTMLTextAreaElement && event.target.dataset.early !== undefined ? event.target : null;
  addEventListener("input", (event) => {
    const field = fieldOf(event);
    if (field === null) return;
    delete field.dataset.sends;
    const key = field.dataset.draftKey;
    if (key === undefined || key === "new") return;
    try {
      localStorage.setItem(`gopi-web.draft.${key}`, field.value);
    } catch {
      // Storage is full or disabled: the field still has the text.
    }
  });
  addEventListener("compositionstart", (event) => fieldOf(event)?.setAttribute("data-composing", ""));
  // Capture phase: runs before React receives the event and replaces the field.
  addEventListener("compositionend", (event) => fieldOf(event)?.removeAttribute("data-composing"), true);
  // Quick open and the palette: what is typed next belongs to them. A hidden field takes it until they are drawn.
  addEventListener("keydown", (event) => {
    const overlay = { p: "quick_open", k: "palette" }[event.key.toLowerCase()];
    const field = fieldOf(event);
    if (overlay === undefined || field === null || event.ctrlKey === event.metaKey) return;
    if (event.altKey || event.shiftKey || document.documentElement.dataset.handlesKeys !== undefined) return;
    event.preventDefault();
    const typed = document.createElement("textarea");
    typed.dataset.earlyOverlay = overlay;
    typed.setAttribute("aria-label", field.getAttribute("aria-label") ?? "");
    typed.style.cssText = "position:fixed;top:0;left:0;width:1px;height:1px;opacity:0;font-size:16px;";
    document.body.append(typed);
    typed.focus();
  });
  addEventListener("keydown", (event) => {
    const field = fieldOf(event);
    if (field === null || event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    let sendKey: string | null = null;
    try {
      sendKey = localStorage.getItem("gopi-web.send-key");
    } catch {
      // Storage is disabled: the default applies.
    }
    if (sendKey !== null && sendKey !== "enter" && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    if (field.value.trim() !== "") field.dataset.sends = "";
  });
}

/**
 * Sets texts, draft and position of the exported page's field. Self-contained: the function is serialised into the
 * page.
 */
function prepareFirstField({ words, wideMinPx, phoneMaxPx }: FirstFieldFacts): void {
  const field = document.querySelector<HTMLTextAreaElement>("textarea[data-early]");
  if (field === null) return;
  const read = (storage: "localStorage" | "sessionStorage", key: string): string => {
    try {
      return window[storage].getItem(key) ?? "";
    } catch {
      return "";
    }
  };
  const chosen = read("localStorage", "gopi-web.language");
  const tag = navigator.languages
    .map((one) => one.toLowerCase().split("-")[0])
    .find((one) => one === "zh" || one === "en");
  const locale = chosen === "en" || chosen === "zh-CN" ? chosen : tag === "zh" ? "zh-CN" : "en";
  const root = document.documentElement;
  root.lang = locale;
  field.placeholder = words[locale].placeholder;
  field.ariaLabel = words[locale].label;
  const { base = "" } = root.dataset;
  // The page is served without its prefix as well.
  const path = location.pathname.startsWith(`${base}/`) ? location.pathname.slice(base.length) : location.pathname;
  const session = /^\/s\/([A-Za-z0-9_-]{1,80})\/?$/.exec(path)?.[1];
  const project = /[#&]token=/.test(location.hash) ? "" : read("sessionStorage", "gopi-web.project");
  const style = (name: string, value: string): void => root.style.setProperty(`--first-${name}`, value);
  if (session === undefined && path !== "/") return style("field", "none");
  field.dataset.draftKey = session ?? (project === "" ? "new" : `new.${project}`);
  field.value = field.dataset.prefilled = read("localStorage", `gopi-web.draft.${field.dataset.draftKey}`);
  field.setSelectionRange(field.value.length, field.value.length);
  if (!matchMedia("(pointer: coarse)").matches) field.focus();
  if (innerWidth <= phoneMaxPx || project === "") return;
  try {
    const layout = JSON.parse(read("localStorage", `gopi-web.layout.${project}`));
    const isAside = layout.preset !== "chat";
    const hasEditor = isAside || (layout.tabs.length > 0 && layout.editorHidden !== true);
    const isWide = innerWidth >= wideMinPx;
    if (isAside && layout.conversationHidden === true) style("field", "none");
    if (layout.side === null || (hasEditor && !isWide && !(isAside && layout.conversationHidden === true)))
      style("side", "0px");
    else style("side", `${Number(layout.sizes.side) + 1}px`);
    const isOpen = typeof layout.bottom === "string";
    const isRight = isOpen && layout.isPanelRight === true && isWide;
    // With the line before the panel.
    const right = isRight ? `min(${Number(layout.sizes.right)}px, 45vw) + 1px` : "0px";
    if (isAside) style("before", "1 1 0%");
    else if (hasEditor)
      style("after", isWide ? `0 1 calc(min(${Number(layout.sizes.editor)}px, 60%) + ${right})` : "1 1 0%");
    else if (isRight) style("after", `0 0 calc(${right})`);
    else if (isOpen) style("bottom", `${Number(layout.sizes.bottom) + 1}px`);
    if (isAside && isWide) style("conversation", `0 1 ${Number(layout.sizes.conversation)}px`);
  } catch {
    // No valid layout is stored: keep the default.
  }
}

/** One xterm.js screen: its options, colours, keys and links. */
import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { type IBufferLine, type ILink, type ITheme, Terminal } from "@xterm/xterm";
import { isCopyKey } from "../actions/terminal-keys";
import { copyText } from "../ui/controls/copy-button";
import { cleanPaste, cleanTitle, isTerminalReply } from "./terminal-text";
import { findFileReferences } from "../ui/text/file-reference";
import type { TerminalOutput } from "@/lib/terminal/terminal";

export interface ScreenEvents {
  /** The user typed or pasted, or the terminal answers a query of a program. */
  readonly onInput: (text: string) => void;
  readonly onResize: (columns: number, rows: number) => void;
  /** A program set a title; "" = none. */
  readonly onTitle: (title: string) => void;
  readonly onSelection: (hasSelection: boolean) => void;
  readonly openFile: (path: string, line?: number) => void;
  /** Keys of the workbench: true = the terminal leaves this key press to the page. */
  readonly isPageKey: (event: KeyboardEvent) => boolean;
}

export interface TerminalScreen {
  /** Shows output; one that does not follow directly replaces everything. */
  readonly show: (output: TerminalOutput) => void;
  /** The shell was started by this page just now: the queries in its first output are not answered yet. */
  readonly expectNewShell: () => void;
  readonly focus: () => void;
  readonly selection: () => string;
  readonly clearSelection: () => void;
  readonly find: (query: string, direction: "next" | "previous") => void;
  readonly endFind: () => void;
  readonly dispose: () => void;
}

const scrollbackLines = 5_000;
/** Time in which changes of the size are joined, ms. */
const resizeDelayMs = 50;

/** Creates the screen in an element that is part of the document. */
export function createTerminalScreen(element: HTMLElement, label: string, events: ScreenEvents): TerminalScreen {
  const { terminal, search, fit } = openTerminal(element, label, events);

  let position = -1;
  let isNewShell = false;
  /** Number of writes of replayed output that are not parsed yet. */
  let replaying = 0;
  terminal.onData((text) => {
    // A program's query in output from before was answered then, and a screen without the focus leaves the answers to the
    // one that has it.
    const isUnwanted = replaying > 0 || !element.contains(document.activeElement);
    if (!isUnwanted || !isTerminalReply(text)) events.onInput(text);
  });
  const sizes = reportSizes(element, terminal, fit, events.onResize);
  element.addEventListener("paste", (event) => pastePlainText(terminal, event), true);
  terminal.onTitleChange((title) => events.onTitle(cleanTitle(title)));
  terminal.onSelectionChange(() => events.onSelection(terminal.hasSelection()));
  const themes = new MutationObserver(() => {
    terminal.options.theme = readTheme(element);
  });
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });

  return {
    show({ from, text }) {
      const follows = from === position;
      const isReplay = !follows && !isNewShell;
      isNewShell = false;
      position = from + text.length;
      if (isReplay) replaying += 1;
      // A reset within the output comes after what is still to be parsed.
      terminal.write(follows ? text : `\u001bc${text}`, () => {
        if (isReplay) replaying -= 1;
      });
    },
    expectNewShell: () => {
      isNewShell = true;
    },
    focus: () => terminal.focus(),
    selection: () => terminal.getSelection(),
    clearSelection: () => terminal.clearSelection(),
    find: (query, direction) => {
      const options = { decorations: findColours(element) };
      if (direction === "next") search.findNext(query, options);
      else search.findPrevious(query, options);
    },
    endFind: () => search.clearDecorations(),
    dispose() {
      themes.disconnect();
      sizes.stop();
      terminal.dispose();
    },
  };
}

/** Fits the terminal to the element, now and whenever that changes, and reports its size. */
function reportSizes(
  element: HTMLElement,
  terminal: Terminal,
  fit: FitAddon,
  onResize: ScreenEvents["onResize"],
): { readonly stop: () => void } {
  let sent = "";
  const fitAndReport = (): void => {
    // A hidden element has no size.
    if (element.clientWidth > 0 && element.clientHeight > 0) fit.fit();
    const size = `${terminal.cols}x${terminal.rows}`;
    if (size !== sent) onResize(terminal.cols, terminal.rows);
    sent = size;
  };
  let fitTimer: ReturnType<typeof setTimeout> | undefined;
  const sizes = new ResizeObserver(() => {
    fitTimer ??= setTimeout(() => {
      fitTimer = undefined;
      fitAndReport();
    }, resizeDelayMs);
  });
  sizes.observe(element);
  void measureFont(terminal).then(fitAndReport);
  // Another device may have changed the size since.
  terminal.textarea?.addEventListener("focus", () => {
    sent = "";
    fitAndReport();
  });
  return {
    stop: () => {
      sizes.disconnect();
      clearTimeout(fitTimer);
    },
  };
}

/** Opens a terminal with its add-ons, links and keys in the element. */
function openTerminal(element: HTMLElement, label: string, events: ScreenEvents) {
  const style = getComputedStyle(element);
  const terminal = new Terminal({
    allowProposedApi: true,
    cursorBlink: !matchMedia("(prefers-reduced-motion: reduce)").matches,
    fontFamily: style.fontFamily,
    fontSize: Number.parseFloat(style.fontSize),
    lineHeight: 1.3,
    minimumContrastRatio: 4.5,
    scrollback: scrollbackLines,
    macOptionIsMeta: true,
    rightClickSelectsWord: false,
    theme: readTheme(element),
    // OSC 8: a click opens web addresses only, and the browser shows no referrer.
    linkHandler: {
      activate: (_event, address) => openAddress(address),
      // The text of such a link can be anything.
      hover: (_event, address) => element.setAttribute("title", formatAddress(address)),
      leave: () => element.removeAttribute("title"),
      allowNonHttpProtocols: false,
    },
  });
  const fit = new FitAddon();
  const search = new SearchAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  terminal.loadAddon(new WebLinksAddon((_event, address) => openAddress(address)));
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = "11";
  terminal.registerLinkProvider({
    provideLinks: (row, report) => report(fileLinksOf(terminal, row, events.openFile)),
  });
  handlePageKeys(terminal, events.isPageKey);
  terminal.open(element);
  terminal.textarea?.setAttribute("aria-label", label);
  void loadWebgl(terminal);
  return { terminal, search, fit };
}

/** Leaves the page its keys, and copies the selection by Ctrl+Shift+C. */
function handlePageKeys(terminal: Terminal, isPageKey: ScreenEvents["isPageKey"]): void {
  terminal.attachCustomKeyEventHandler((event) => {
    if (!isCopyKey(event)) return !isPageKey(event);
    // Without this the browser opens its developer tools.
    event.preventDefault();
    if (event.type === "keydown" && terminal.hasSelection()) void copyText(terminal.getSelection());
    return false;
  });
}

/** Draws with WebGL where the browser has it; otherwise, and after the graphics context is lost, with the DOM. */
async function loadWebgl(terminal: Terminal): Promise<void> {
  try {
    const { WebglAddon } = await import("@xterm/addon-webgl");
    const webgl = new WebglAddon();
    webgl.onContextLoss(() => webgl.dispose());
    if (terminal.element !== undefined) terminal.loadAddon(webgl);
  } catch {
    // The DOM renderer stays.
  }
}

/** Measures the characters again when their font, which the browser loads at its first use, is there. */
async function measureFont(terminal: Terminal): Promise<void> {
  const { fontFamily = "monospace", fontSize = 13 } = terminal.options;
  await document.fonts.load(`${fontSize}px ${fontFamily}`).catch(() => []);
  // A changed option makes xterm.js measure; a disposed terminal has no element any more.
  if (terminal.element?.isConnected === true) terminal.options.fontFamily = `${fontFamily}, monospace`;
}

/** Pastes a text without control characters but tab and line ends, with which it could leave a bracketed paste (R35). */
function pastePlainText(terminal: Terminal, event: ClipboardEvent): void {
  const text = event.clipboardData?.getData("text/plain");
  if (text === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  terminal.paste(cleanPaste(text));
}

/** The address as the browser opens it: a host in another script is spelled with xn--. */
function formatAddress(address: string): string {
  try {
    return new URL(address).href;
  } catch {
    return cleanTitle(address);
  }
}

function openAddress(address: string): void {
  if (/^https?:\/\//i.test(address)) window.open(address, "_blank", "noopener,noreferrer");
}

/** Returns links for the file references in a row (1-based) of the screen. */
function fileLinksOf(terminal: Terminal, row: number, openFile: ScreenEvents["openFile"]): ILink[] | undefined {
  const line = terminal.buffer.active.getLine(row - 1);
  if (line === undefined) return undefined;
  const { text, columns } = readRow(line);
  const links = findFileReferences(text).map(
    ({ from, to, path, line: target }): ILink => ({
      text: path,
      range: { start: { x: columns[from] ?? 1, y: row }, end: { x: columns[to - 1] ?? 1, y: row } },
      activate: () => openFile(path, target),
    }),
  );
  return links.length === 0 ? undefined : links;
}

/** Text of a row, and the column (1-based) of each UTF-16 unit: characters may be two columns wide. */
function readRow(line: IBufferLine): { readonly text: string; readonly columns: readonly number[] } {
  let text = "";
  const columns: number[] = [];
  for (let x = 0; x < line.length; x += 1) {
    const cell = line.getCell(x);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const chars = cell.getChars() || " ";
    text += chars;
    for (let unit = 0; unit < chars.length; unit += 1) columns.push(x + 1);
  }
  return { text, columns };
}

const ansiNames = [
  "black",
  "red",
  "green",
  "yellow",
  "blue",
  "magenta",
  "cyan",
  "white",
  "brightBlack",
  "brightRed",
  "brightGreen",
  "brightYellow",
  "brightBlue",
  "brightMagenta",
  "brightCyan",
  "brightWhite",
] as const;

const colourOf = (style: CSSStyleDeclaration, name: string): string => style.getPropertyValue(`--${name}`).trim();

/** Reads the colours from the custom properties of terminal.css. */
function readTheme(element: HTMLElement): ITheme {
  const style = getComputedStyle(element);
  const ansi = Object.fromEntries(ansiNames.map((name) => [name, colourOf(style, `ansi-${name}`)]));
  return {
    ...ansi,
    background: colourOf(style, "terminal-background"),
    foreground: colourOf(style, "terminal-foreground"),
    cursor: colourOf(style, "terminal-foreground"),
    cursorAccent: colourOf(style, "terminal-background"),
    selectionBackground: colourOf(style, "terminal-selection"),
    scrollbarSliderBackground: colourOf(style, "terminal-scrollbar"),
    scrollbarSliderHoverBackground: colourOf(style, "terminal-scrollbar-hover"),
    scrollbarSliderActiveBackground: colourOf(style, "terminal-scrollbar-hover"),
    overviewRulerBorder: colourOf(style, "terminal-background"),
  };
}

function findColours(element: HTMLElement) {
  const style = getComputedStyle(element);
  const match = colourOf(style, "terminal-match");
  const active = colourOf(style, "terminal-active-match");
  return {
    matchBackground: match,
    matchOverviewRuler: match,
    activeMatchBackground: active,
    activeMatchColorOverviewRuler: active,
  };
}

/** One xterm.js screen: its options, colours, keys and links. */
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { type ILink, type ITheme, Terminal } from "@xterm/xterm";
import { isCopyKey } from "../actions/terminal-keys";
import { copyText } from "../ui/controls/copy-button";
import { fitTerminal } from "./terminal-fit";
import { readRow } from "./terminal-rows";
import { createTerminalSearch, type TerminalFindRequest } from "./terminal-search";
import { cleanPaste, cleanTitle, isTerminalReply, toApplicationKey } from "./terminal-text";
import { findFileReferences } from "../ui/text/file-reference";
import type { Settings } from "@/lib/settings/settings";
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
  readonly setOptions: (options: ScreenOptions) => void;
  readonly focus: () => void;
  /** Sets the name that assistive technology reads. */
  readonly setLabel: (label: string) => void;
  /** Returns what an arrow key sends now; any other text as it is. */
  readonly encodeKey: (text: string) => string;
  readonly selection: () => string;
  readonly clearSelection: () => void;
  /** Selects the next or previous match. */
  readonly find: (request: TerminalFindRequest) => void;
  readonly endFind: () => void;
  readonly dispose: () => void;
}

/** Settings of the user that affect how a terminal is drawn. */
type ScreenOptions = Pick<
  Settings,
  "terminalFontSize" | "terminalScrollbackLines" | "terminalCursor" | "terminalCursorBlink" | "terminalScreenReader"
>;

const xtermOptions = (settings: ScreenOptions) => ({
  cursorBlink: settings.terminalCursorBlink && !matchMedia("(prefers-reduced-motion: reduce)").matches,
  cursorStyle: settings.terminalCursor,
  fontSize: settings.terminalFontSize,
  scrollback: settings.terminalScrollbackLines,
  screenReaderMode: settings.terminalScreenReader,
});

/** Creates the screen in an element that is part of the document. */
export function createTerminalScreen(
  element: HTMLElement,
  options: ScreenOptions,
  events: ScreenEvents,
): TerminalScreen {
  const terminal = openTerminal(element, options, events);
  const search = createTerminalSearch(terminal, () => readMatchColours(element));
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
  /** Output that is not written yet, because the columns in which it was printed are not there; null = all is written. */
  let waiting: (() => void)[] | null = [];
  const fitting = fitTerminal(element, terminal, {
    onResize: events.onResize,
    onReady: () => {
      for (const write of waiting ?? []) write();
      waiting = null;
    },
  });
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
      const write = (): void =>
        // A reset within the output comes after what is still to be parsed.
        terminal.write(follows ? text : `\u001bc${text}`, () => {
          if (isReplay) replaying -= 1;
        });
      if (waiting === null) write();
      else waiting.push(write);
    },
    expectNewShell: () => {
      isNewShell = true;
    },
    setOptions(changed) {
      Object.assign(terminal.options, xtermOptions(changed));
      fitting.fit();
    },
    focus: () => terminal.focus(),
    setLabel: (label) => terminal.textarea?.setAttribute("aria-label", label),
    encodeKey: (text) => (terminal.modes.applicationCursorKeysMode ? toApplicationKey(text) : text),
    selection: () => terminal.getSelection(),
    clearSelection: () => terminal.clearSelection(),
    find: search.find,
    endFind: search.end,
    dispose() {
      search.end();
      themes.disconnect();
      fitting.stop();
      terminal.dispose();
    },
  };
}

/** Opens a terminal with its add-ons, links and keys in the element. */
function openTerminal(element: HTMLElement, options: ScreenOptions, events: ScreenEvents): Terminal {
  const style = getComputedStyle(element);
  const terminal = new Terminal({
    allowProposedApi: true,
    ...xtermOptions(options),
    fontFamily: style.fontFamily,
    lineHeight: 1.3,
    minimumContrastRatio: 4.5,
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
  terminal.loadAddon(new WebLinksAddon((_event, address) => openAddress(address)));
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = "11";
  terminal.registerLinkProvider({
    provideLinks: (row, report) => report(fileLinksOf(terminal, row, events.openFile)),
  });
  handlePageKeys(terminal, events.isPageKey);
  terminal.open(element);
  return terminal;
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

/** Pastes a text without control characters but tab and line ends, with which it could leave a bracketed paste. */
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

function readMatchColours(element: HTMLElement) {
  const style = getComputedStyle(element);
  return { match: colourOf(style, "terminal-match"), active: colourOf(style, "terminal-active-match") };
}

/** Size of a terminal: the columns and rows that fit into its element with its font and its renderer. */
import { FitAddon } from "@xterm/addon-fit";
import type { Terminal } from "@xterm/xterm";

interface FitEvents {
  readonly onResize: (columns: number, rows: number) => void;
  /** Font and renderer are there, and the terminal has the size of its element. Called once. */
  readonly onReady: () => void;
}

/** Time in which changes of the size are joined, ms. */
const resizeDelayMs = 50;

interface TerminalFit {
  /** Fits it again: its font has changed. */
  readonly fit: () => void;
  readonly stop: () => void;
}

/** Fits the opened terminal to the element, as soon as its font and renderer are there and whenever its size changes. */
export function fitTerminal(element: HTMLElement, terminal: Terminal, events: FitEvents): TerminalFit {
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  let isReady = false;
  let isStopped = false;
  let isWebgl = false;
  let sent = "";
  const fitAndReport = (): void => {
    if (!isReady || isStopped) return;
    terminal.options.letterSpacing = isWebgl ? missingPixels(terminal) : 0;
    // A hidden element has no size.
    if (element.clientWidth > 0 && element.clientHeight > 0) fit.fit();
    const size = `${terminal.cols}x${terminal.rows}`;
    if (size !== sent) events.onResize(terminal.cols, terminal.rows);
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
  // Another device may have changed the size since.
  terminal.textarea?.addEventListener("focus", () => {
    sent = "";
    fitAndReport();
  });
  const prepare = async (): Promise<void> => {
    await loadFont(terminal);
    if (isStopped) return;
    isWebgl = await loadWebgl(terminal, () => {
      isWebgl = false;
      fitAndReport();
    });
    if (isStopped) return;
    isReady = true;
    fitAndReport();
    events.onReady();
  };
  void prepare();
  return {
    fit: fitAndReport,
    stop() {
      isStopped = true;
      sizes.disconnect();
      clearTimeout(fitTimer);
    },
  };
}

/** Loads the font, which the browser does at its first use, and measures the characters with it. */
async function loadFont(terminal: Terminal): Promise<void> {
  const { fontFamily = "monospace", fontSize = 13 } = terminal.options;
  await document.fonts.load(`${fontSize}px ${fontFamily}`).catch(() => []);
  // A changed option makes xterm.js measure; a disposed terminal has no element any more.
  if (terminal.element?.isConnected === true) terminal.options.fontFamily = `${fontFamily}, monospace`;
}

/** Draws with WebGL where the browser has it; otherwise, and after the graphics context is lost, with the DOM. */
async function loadWebgl(terminal: Terminal, onLost: () => void): Promise<boolean> {
  try {
    const { WebglAddon } = await import("@xterm/addon-webgl");
    const webgl = new WebglAddon();
    webgl.onContextLoss(() => {
      webgl.dispose();
      onLost();
    });
    if (terminal.element?.isConnected !== true) return false;
    terminal.loadAddon(webgl);
    return true;
  } catch {
    // The DOM renderer stays.
    return false;
  }
}

/** The WebGL renderer cuts the fraction off the width of a character. Returns the device pixel that a large one loses. */
function missingPixels({ options: { fontFamily, fontSize } }: Terminal): number {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return 0;
  context.font = `${fontSize}px ${fontFamily}`;
  const width = context.measureText("W").width * devicePixelRatio;
  return Math.round(width) - Math.floor(width);
}

/** Colours, bold and underline of terminal output as spans over its plain text. */

export const textColors = ["red", "green", "yellow", "blue", "magenta", "cyan", "muted"] as const;
/** A theme colour. */
export type TextColor = (typeof textColors)[number];

export interface TextStyle {
  readonly color?: TextColor;
  readonly bold?: true;
  readonly underline?: true;
}

/** Offsets in UTF-16 units; `to` is exclusive. Spans are ordered and do not overlap. */
export interface StyleSpan extends TextStyle {
  readonly from: number;
  readonly to: number;
}

/** Maximum spans per output; later text has no style. */
export const maxStyleSpans = 2_000;

const noStyle: TextStyle = {};

interface PendingRun {
  length: number;
  readonly style: TextStyle;
}

/** Assigns the styles of the input to the emitted plain text. An overwritten line loses its styles. */
export class StyleCollector {
  readonly spans: StyleSpan[] = [];
  #style = noStyle;
  /** Styles of text that was written and not yet emitted. */
  #pending: PendingRun[] = [];
  #offset = 0;

  /** Applies the parameters of an SGR sequence (final byte `m`). */
  applySgr(parameters: string): void {
    if (/^[\d;:]*$/.test(parameters)) this.#style = styleAfterSgr(this.#style, parameters);
  }

  addText(length: number): void {
    const last = this.#pending.at(-1);
    if (last?.style === this.#style) last.length += length;
    else this.#pending.push({ length, style: this.#style });
  }

  /**
   * Advances by `length` units of emitted text. `isEdited` = the line was edited, so its characters are not in input
   * order.
   */
  advance(length: number, isEdited: boolean): void {
    if (length === 0) return;
    if (isEdited) {
      this.#pending = [];
      this.#offset += length;
      return;
    }
    let rest = length;
    let consumed = 0;
    for (const run of this.#pending) {
      const part = Math.min(rest, run.length);
      this.#addSpan(part, run.style);
      rest -= part;
      run.length -= part;
      if (run.length > 0) break;
      consumed += 1;
    }
    this.#pending.splice(0, consumed);
    this.#offset += rest;
  }

  #addSpan(length: number, style: TextStyle): void {
    const from = this.#offset;
    this.#offset += length;
    const isPlain = style.color === undefined && style.bold === undefined && style.underline === undefined;
    if (length === 0 || isPlain) return;
    const last = this.spans.at(-1);
    if (last?.to === from && isSameStyle(last, style))
      this.spans[this.spans.length - 1] = { ...last, to: this.#offset };
    else if (this.spans.length < maxStyleSpans) this.spans.push({ from, to: this.#offset, ...style });
  }
}

const isSameStyle = (one: TextStyle, other: TextStyle): boolean =>
  one.color === other.color && one.bold === other.bold && one.underline === other.underline;

const createStyle = (color: TextColor | undefined, bold: boolean, underline: boolean): TextStyle => ({
  color,
  ...(bold ? { bold: true } : {}),
  ...(underline ? { underline: true } : {}),
});

function styleAfterSgr(before: TextStyle, parameters: string): TextStyle {
  let { color } = before;
  let isBold = before.bold === true;
  let isUnderlined = before.underline === true;
  const codes = parameters.split(";");
  for (let at = 0; at < codes.length; at += 1) {
    const [code = 0, ...more] = (codes[at] ?? "").split(":").map(Number);
    if (code === 0) [color, isBold, isUnderlined] = [undefined, false, false];
    else if (code === 1) isBold = true;
    else if (code === 22) isBold = false;
    else if (code === 4 || code === 21) isUnderlined = more[0] !== 0;
    else if (code === 24) isUnderlined = false;
    else if (code === 39) color = undefined;
    else if (code >= 30 && code <= 37) color = paletteColor(code - 30);
    else if (code >= 90 && code <= 97) color = paletteColor(code - 82);
    else if (code === 38 || code === 48 || code === 58) {
      const rest = more.length > 0 ? more : codes.slice(at + 1, at + 5).map(Number);
      if (code === 38) color = extendedColor(rest);
      // With semicolons the colour components are separate parameters.
      if (more.length === 0) at += rest[0] === 5 ? 2 : rest[0] === 2 ? 4 : 0;
    }
  }
  return createStyle(color, isBold, isUnderlined);
}

/** Returns the colour of `5;n`, `2;r;g;b`, or with colons `2:space:r:g:b`. */
function extendedColor([kind, ...rest]: readonly number[]): TextColor | undefined {
  if (kind === 5) return paletteColor(rest[0] ?? 0);
  const [red = 0, green = 0, blue = 0] = rest.slice(-3);
  return kind === 2 ? rgbColor(red, green, blue) : undefined;
}

/** Black and white map to the text colour, because either is illegible in one of the themes. */
const basic: readonly (TextColor | undefined)[] = [
  undefined,
  "red",
  "green",
  "yellow",
  "blue",
  "magenta",
  "cyan",
  undefined,
];
const brightBlack = 8;
const cubeStart = 16;
const greyStart = 232;

function paletteColor(index: number): TextColor | undefined {
  if (index === brightBlack) return "muted";
  if (index < cubeStart) return basic[index % 8];
  if (index >= greyStart) {
    const level = 8 + (index - greyStart) * 10;
    return rgbColor(level, level, level);
  }
  const cell = index - cubeStart;
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  return rgbColor(level(Math.floor(cell / 36)), level(Math.floor(cell / 6) % 6), level(cell % 6));
}

/** A smaller difference between the largest and smallest component counts as grey. */
const greySpread = 40;

/** Returns the theme colour with the nearest hue. */
function rgbColor(red: number, green: number, blue: number): TextColor | undefined {
  const most = Math.max(red, green, blue);
  const spread = most - Math.min(red, green, blue);
  if (spread < greySpread) return most >= 64 && most < 192 ? "muted" : undefined;
  const hue =
    most === red
      ? ((green - blue) / spread) * 60
      : most === green
        ? ((blue - red) / spread) * 60 + 120
        : ((red - green) / spread) * 60 + 240;
  if (hue < -20) return "magenta";
  if (hue < 20) return "red";
  if (hue < 75) return "yellow";
  if (hue < 165) return "green";
  if (hue < 200) return "cyan";
  return hue < 260 ? "blue" : "magenta";
}

export interface StyledSegment {
  readonly text: string;
  readonly style?: TextStyle;
}

/** Splits the text between `from` and `to` at the span boundaries. */
export function splitStyledText(
  text: string,
  spans: readonly StyleSpan[],
  from = 0,
  to = text.length,
): StyledSegment[] {
  const pieces: StyledSegment[] = [];
  let done = from;
  for (const span of spans) {
    const start = Math.max(span.from, done);
    const end = Math.min(span.to, to);
    if (end <= start) continue;
    if (start > done) pieces.push({ text: text.slice(done, start) });
    pieces.push({ text: text.slice(start, end), style: span });
    done = end;
  }
  if (done < to) pieces.push({ text: text.slice(done, to) });
  return pieces;
}

/** Style of a file that `.editorconfig` files of the project demand. Absent members are not demanded. */
export interface FileStyle {
  readonly indentStyle?: "tab" | "space";
  /** Columns of one level of indentation. */
  readonly indentSize?: number;
  /** Columns of a tab character. */
  readonly tabWidth?: number;
  readonly lineEnding?: "\n" | "\r\n";
  readonly trimsWhitespace?: boolean;
  readonly insertsFinalNewline?: boolean;
  /** Longest line, columns. */
  readonly maxLineLength?: number;
}

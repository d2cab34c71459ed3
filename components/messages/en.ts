/** The English catalogue, one file per feature. */
import { createFigures } from "./figures";

export const figures = createFigures("en", {
  milliseconds: "ms",
  seconds: "s",
  minutes: "min",
  hours: "h",
  tokensPerSecond: "tok/s",
  justNow: "now",
});

export * from "./en/actions";
export * from "./en/branches";
export * from "./en/chat";
export * from "./en/common";
export * from "./en/composer";
export * from "./en/connections";
export * from "./en/errors";
export * from "./en/files";
export * from "./en/models";
export * from "./en/sessions";
export * from "./en/shell";
export * from "./en/tools";

/** The Simplified Chinese catalogue, one file per feature. */
import { createFigures } from "./figures";

export const figures = createFigures("zh-CN", {
  milliseconds: "毫秒",
  seconds: "秒",
  minutes: "分钟",
  hours: "小时",
  tokensPerSecond: "词元/秒",
  justNow: "刚刚",
});

export * from "./zh-CN/actions";
export * from "./zh-CN/branches";
export * from "./zh-CN/chat";
export * from "./zh-CN/common";
export * from "./zh-CN/composer";
export * from "./zh-CN/connections";
export * from "./zh-CN/errors";
export * from "./zh-CN/files";
export * from "./zh-CN/models";
export * from "./zh-CN/sessions";
export * from "./zh-CN/shell";
export * from "./zh-CN/tools";

/** The Simplified Chinese catalogue, one file per feature. */
import { createFigures } from "./figures";
import type { Messages } from "./messages";
import { actions } from "./zh-CN/actions";
import { branches } from "./zh-CN/branches";
import { chat } from "./zh-CN/chat";
import { common } from "./zh-CN/common";
import { composer } from "./zh-CN/composer";
import { connections } from "./zh-CN/connections";
import { errors } from "./zh-CN/errors";
import { models } from "./zh-CN/models";
import { sessions } from "./zh-CN/sessions";
import { shell } from "./zh-CN/shell";

export const zhCN: Messages = {
  figures: createFigures("zh-CN", {
    milliseconds: "毫秒",
    seconds: "秒",
    minutes: "分钟",
    hours: "小时",
    tokensPerSecond: "词元/秒",
    justNow: "刚刚",
  }),
  actions,
  branches,
  chat,
  common,
  composer,
  connections,
  errors,
  models,
  sessions,
  shell,
};

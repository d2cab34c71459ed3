/** The English catalogue, one file per feature. */
import { actions } from "./en/actions";
import { branches } from "./en/branches";
import { chat } from "./en/chat";
import { common } from "./en/common";
import { composer } from "./en/composer";
import { connections } from "./en/connections";
import { errors } from "./en/errors";
import { models } from "./en/models";
import { sessions } from "./en/sessions";
import { shell } from "./en/shell";
import { createFigures } from "./figures";

export const en = {
  figures: createFigures("en", {
    milliseconds: "ms",
    seconds: "s",
    minutes: "min",
    hours: "h",
    tokensPerSecond: "tok/s",
    justNow: "now",
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

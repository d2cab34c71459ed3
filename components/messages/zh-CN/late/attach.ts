import type { attach as english } from "../../en/late/attach";

export const attach: typeof english = {
  image: "图片或照片…",
  textFile: "本设备上的文本文件…",
  project: "文件、会话或网页…",
  clipboard: "粘贴",
  skill: "技能、提示词或命令…",
  command: "自己运行一条命令…",
  notAllowed: "浏览器不允许此页面读取剪贴板，请直接在消息框中粘贴。",
  nothingToPaste: "剪贴板中没有文字或图片。",
};

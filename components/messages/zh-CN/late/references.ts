import type { references as english } from "../../en/late/references";

export const references: typeof english = {
  menu: "可添加的文件和文件夹",
  changes: "当前更改",
  session: "以往的会话",
  sessionNote: "@session: 加标题中的字",
  memory: "记忆",
  memoryNote: "@memory: 加文件名中的字",
  tool: "工具",
  toolNote: "@tool: 加工具名中的字",
  page: "网页",
  pageNote: "@https:// 加网址",
  readPage: "读取此网页",
  webOff: "网页访问未开启。请在“设置 > 网络”中开启后再读取网页。",
  list: "随消息添加的内容",
  tokens: (tokens) => `${tokens} 词元`,
  tooLarge: (tokens, max) => `${tokens}，最多放得下 ${max}`,
  addsLines: (tokens, first, last) => `${tokens}，将添加第 ${first}–${last} 行`,
  useLines: (first, last) => `只用第 ${first}–${last} 行`,
  remove: (name) => `移除 ${name}`,
  insert: "放回消息正文",
  sent: "随这条消息发送的内容",
};

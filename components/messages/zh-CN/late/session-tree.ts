import type { sessionTree as english } from "../../en/late/session-tree";

export const sessionTree: typeof english = {
  title: "会话的分支",
  note: "每一行是一条消息及其结果。可以转到任意一处，内容不会丢失。",
  start: "会话开头",
  here: "当前位置",
  running: "运行中",
  continued: "继续运行",
  filter: "显示",
  all: "全部",
  named: "书签",
  noneNamed: "还没有书签。",
  failed: "无法读取分支。",
  goHere: "转到这里",
  calls: (count) => `${count} 次调用`,
  files: (count) => `${count} 个文件`,
  forkOf: (title) => `分叉会话：${title}`,
  keys: "方向键移动，回车跳转",
};

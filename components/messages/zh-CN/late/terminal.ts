import type { terminal as english } from "../../en/late/terminal";

export const terminal: typeof english = {
  tabs: "终端",
  output: (name) => `终端 ${name}`,
  open: "新建终端",
  split: "拆分终端",
  find: "在终端中查找",
  previousMatch: "上一个匹配",
  nextMatch: "下一个匹配",
  menu: "更多终端操作",
  reset: "重置终端",
  startScreenReader: "开启读屏模式",
  stopScreenReader: "关闭读屏模式",
  addToMessage: "添加到消息",
  rename: "重命名终端",
  close: (name) => `关闭 ${name}`,
  none: "没有打开的终端。关闭浏览器后终端会继续运行，gopi-web 退出时终端随之结束。",
  restart: "重新启动",
  exited: (code) => `Shell 已退出，退出码 ${code}。`,
  killed: (signal) => `Shell 被信号 ${signal} 终止。`,
  keys: "终端按键",
  control: "Ctrl",
};

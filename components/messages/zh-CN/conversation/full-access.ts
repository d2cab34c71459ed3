import type { fullAccess as english } from "../../en/conversation/full-access";

export const fullAccess: typeof english = {
  warning: "完全访问：运行命令不再询问。本会话结束或重启后失效。",
  fenced: "完全访问：命令在沙箱中运行，不再询问。本会话结束或重启后失效。",
  missing: "此电脑上没有可用的沙箱，命令不受限制。",
  fix: { before: "如需沙箱，请运行 ", after: "，然后重启 gopi-web。" },
  leave: "改回询问",
};

import type { projectList as english } from "../../en/late/project-list";

export const projectList: typeof english = {
  none: "还没有项目。",
  pin: (name) => `置顶 ${name}`,
  unpin: (name) => `取消置顶 ${name}`,
  rename: (name) => `重命名 ${name}`,
  name: "项目名称",
  remove: (name) => `从列表中移除 ${name}`,
  removed: (name) => `已从列表中移除 ${name}，文件和会话都会保留。`,
};

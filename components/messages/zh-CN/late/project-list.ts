import type { projectList as english } from "../../en/late/project-list";

export const projectList: typeof english = {
  workspaceNote: "在你的个人工作区中，它有自己的文件夹",
  none: "还没有项目。",
  pin: (name) => `置顶 ${name}`,
  unpin: (name) => `取消置顶 ${name}`,
  rename: (name) => `重命名 ${name}`,
  name: "项目名称",
  remove: (name) => `从列表中移除 ${name}`,
  removed: (name) => `已从列表中移除 ${name}，文件和会话都会保留。`,
  openFolderNote: "填写运行 gopi-web 的电脑上的文件夹路径。",
  folders: {
    label: "文件夹",
    up: "上一级文件夹",
    listed: (folder) => `${folder} 中的文件夹`,
    empty: "里面没有文件夹。",
    none: "没有匹配的文件夹。",
    more: "仅显示前 200 个，请继续输入名称。",
  },
  relinkTitle: (name) => `${name} 现在在哪里？`,
  relinkNote: "填写文件夹在运行 gopi-web 的电脑上的新路径。会话、规则和回收站会一并迁移。",
  relinkSubmit: "使用此文件夹",
  relinkTaken: "已有项目在使用这个文件夹，请直接打开那个项目。",
  relinked: (path) => `项目已移到 ${path}`,
};

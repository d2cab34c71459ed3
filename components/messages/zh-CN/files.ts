import type { files as english } from "../en/files";

export const files: typeof english = {
  title: "文件",
  create: "新建文件或文件夹",
  newFile: "新建文件",
  newFolder: "新建文件夹",
  rename: "重命名",
  copyPath: "复制路径",
  menu: (name) => `“${name}”的菜单`,
  link: "链接",
  empty: "此文件夹为空",
  failed: "无法读取此文件夹",
  more: (count) => `还有 ${count} 项未列出`,
  problems: {
    empty: "请填写名称。",
    slash: "名称不能含斜杠。",
    dots: "不能使用这个名称。",
    exists: "已有同名的文件或文件夹。",
  },
};

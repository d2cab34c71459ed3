import type { worktrees as english } from "../../en/late/worktrees";

export const worktrees: typeof english = {
  title: "工作树",
  note: "在独立工作树中，会话只改动自己那份文件，并使用自己的分支，两个会话因此互不影响。它从上次提交开始。",
  name: "用途",
  namePlaceholder: "修复解析器",
  command: "准备命令，会放进输入框",
  commandPlaceholder: "例如 npm ci",
  files: "要复制的被忽略文件",
  secret: "可能含有机密",
  create: "在工作树中新建会话",
  uncopied: (paths) => `未复制：${paths}`,
  missing: "文件夹已不存在。",
  state: (changes, commits, sessions) =>
    [
      changes === 0 ? "没有更改" : `${changes} 处更改`,
      commits === 0 ? "" : `${commits} 个独有提交`,
      sessions === 0 ? "" : `${sessions} 个会话`,
    ]
      .filter(Boolean)
      .join(" · "),
  atLeast: (size) => `超过 ${size}`,
  compare: "对比",
  merge: (branch) => `合并到 ${branch}`,
  merged: (branch) => `已合并到 ${branch}`,
  commitFirst: "合并前请先提交其中的更改。",
  noMain: "请先把仓库自己的文件夹作为项目打开。",
  orphans: "已脱离仓库的工作树",
  orphansNote: "这些文件夹已不属于任何仓库。其中的文件保持原样，不需要的可自行删除。",
  open: "打开",
  remove: "移除",
  ask: (name) => `它还有项目分支中没有的更改或提交。更改会存入贮藏，分支会保留。要移除，请输入 ${name}。`,
  typeName: "工作树的名称",
  stashed: "已移除，更改已存入贮藏。",
};

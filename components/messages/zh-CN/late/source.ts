import type { source as english } from "../../en/late/source";

const files = (count: number): string => `${count} 个文件`;
const ofLines = (verb: string, count: number | null): string => (count === null ? verb : `${verb} ${count} 行`);

export const source: typeof english = {
  title: "源代码管理",
  refresh: "刷新",
  files: "已更改的文件",
  groups: { conflicts: "冲突", staged: "已暂存", changed: "更改", untracked: "未跟踪" },
  changes: {
    modified: "已修改",
    added: "新建",
    deleted: "已删除",
    renamed: "已重命名",
    copied: "已复制",
    type: "类型已变",
    untracked: "未跟踪",
    conflicted: "有冲突",
  },
  none: "与上次提交相比没有更改。",
  noCommits: "还没有提交",
  detached: (commit) => `不在分支上，位于 ${commit}`,
  distance: (ahead, behind, upstream) =>
    [ahead > 0 ? `${ahead} 个提交待推送` : "", behind > 0 ? `${behind} 个提交待拉取` : ""].filter(Boolean).join("，") +
    `（${upstream}）`,
  operations: {
    merge: "合并尚未完成。",
    rebase: "变基尚未完成。",
    cherry_pick: "拣选尚未完成。",
    revert: "还原尚未完成。",
    bisect: "正在二分查找。",
    apply: "正在应用补丁。",
  },
  step: (step, steps) => `第 ${step} 步，共 ${steps} 步。`,
  slow: "检查这个仓库耗时较长，因此只在需要时进行。",
  checkNow: "立即检查",
  unreadable: (count) => `${files(count)}的名称不是 UTF-8 编码，请在终端中处理。`,
  stage: (path) => `暂存 ${path}`,
  unstage: (path) => `取消暂存 ${path}`,
  discard: (path) => `放弃 ${path} 的更改`,
  stageAll: (group) => `全部暂存：${group}`,
  unstageAll: (group) => `全部取消暂存：${group}`,
  discardAll: (group) => `全部放弃：${group}`,
  open: (path) => `打开 ${path}`,
  discarded: (count) => `已放弃更改：${files(count)}`,
  place: (line) => `第 ${line} 行`,
  stageLines: (count) => ofLines("暂存", count),
  unstageLines: (count) => ofLines("取消暂存", count),
  discardLines: (count) => ofLines("放弃", count),
  chooseLines: "选择行",
  chooseLine: (text) => `选择：${text}`,
  folder: "新文件夹。暂存后可查看其中的文件。",
  conflict: "双方都改了这个文件。打开它，保留需要的内容，然后暂存。",
  submodule: "这个子模块指向了另一个提交。",
  sameContent: "只有名称发生了变化。",
  mode: (old, now) => `文件模式：${old} → ${now}`,
};

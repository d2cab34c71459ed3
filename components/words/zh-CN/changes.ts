import type { changes as english } from "../en/changes";

const files = (count: number): string => `${count} 个文件`;

export const changes: typeof english = {
  title: "更改",
  scope: "比较范围",
  run: "上次运行",
  session: "本会话",
  tree: "工作区",
  refresh: "重新检查",
  trash: "回收站",
  files,
  more: (count) => `另有 ${files(count)}`,
  kind: { created: "新建", changed: "修改", deleted: "删除" },
  state: { binary: "二进制", empty: "空文件" },
  why: {
    binary: "这不是文本文件，无法逐行显示。",
    too_large: "文件太大，无法逐行显示。",
    not_kept: "之前的内容没有保留。",
  },
  changedSince: "之后又有改动",
  changedSinceNote: "智能体改完之后，此文件又被其他人改过。这里显示的是智能体所做的更改。",
  open: (path) => `在编辑器中打开 ${path}`,
  fold: (path) => `展开或收起 ${path}`,
  loading: "正在比较文件",
  failed: "无法读取更改。",
  empty: {
    run: "上次运行没有更改文件。",
    session: "本会话还没有更改任何文件。",
    tree: "与上次提交相比没有不同。",
    none: "打开一个会话，查看它更改了什么。",
  },
  noRepository: "此文件夹不是 git 仓库。仍可查看会话自己的更改。",
  noGit: "这台机器上没有安装 git。仍可查看会话自己的更改。",
  untrusted: "git 会遵循所在文件夹的设置，而这些设置可能运行程序。请先信任此文件夹。",
  trust: "查看并信任…",
  restoreToHere: "撤销这些更改…",
  restore: {
    title: "放回文件",
    titleRemove: "移除文件",
    note: "文件将回到此时的样子。现在的内容会保留，因此这一步也可以撤销。",
    limits: ".gitignore 中列出的内容、链接和空文件夹不会保留，也不会恢复。",
    looking: "正在检查会有哪些变化",
    nothing: "文件已经是当时的样子。",
    what: "回退范围",
    filesOnly: "仅文件",
    both: "文件和对话",
    bothNote: "对话也会回到此处。不会丢失任何内容：可以用“重做”找回。",
    action: { write: "恢复原样", create: "重新创建", remove: "移到回收站" },
    conflict: "此后又被本会话以外的人或程序改过。确定可以覆盖时再勾选。",
    lost: { too_large: "文件太大，当时没有保留。", not_kept: "当时的内容没有保留。" },
    show: (path) => `查看 ${path} 的变化`,
    submit: (back, removed) =>
      removed === 0
        ? `放回 ${files(back)}`
        : back === 0
          ? `移除 ${files(removed)}`
          : `放回 ${files(back)}，移除 ${removed} 个`,
    submitNone: "放回",
    conversationOnly: "返回此处",
    done: (back, removed) =>
      removed === 0
        ? `已放回 ${files(back)}`
        : back === 0
          ? `已将 ${files(removed)}移到回收站`
          : `已放回 ${files(back)}，${removed} 个移到回收站`,
    undo: "撤销",
    failed: "以下文件保持原样",
    busy: "会话仍在运行。请先停止，再放回文件。",
  },
  trashTitle: "回收站",
  trashNote: "智能体删除的内容，以及撤销时移除的内容，保存在项目之外，直到你彻底删除。",
  trashEmpty: "回收站是空的。",
  trashFailed: "无法读取回收站。",
  folder: (count) => `文件夹，${files(count)}`,
  putBack: "放回原处",
  removeForGood: "彻底删除",
  removeAsk: (path) => `彻底删除 ${path}？删除后无法找回。`,
  older: "显示更早的",
};

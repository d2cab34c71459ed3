import type { changes as english } from "../../en/late/changes";

const files = (count: number): string => `${count} 个文件`;

const willReturn =
  (when: string) =>
  (back: number, removed: number): string => {
    const trashed = `此后新建的 ${files(removed)}移到回收站`;
    const returns = `${files(back)}恢复到${when}的内容`;
    return removed === 0 ? `${returns}。` : back === 0 ? `${trashed}。` : `${returns}，${trashed}。`;
  };

export const changes: typeof english = {
  title: "更改",
  scope: "比较",
  run: "上次运行",
  earlier: "较早的运行",
  session: "本会话",
  tree: "工作区",
  refresh: "刷新",
  trash: "回收站",
  files,
  more: (count) => `另有 ${files(count)}`,
  kind: { created: "新建", changed: "修改", deleted: "删除" },
  state: { binary: "二进制", empty: "空文件" },
  why: {
    binary: "这不是文本文件，无法逐行比较。",
    too_large: "文件太大，无法逐行比较。",
    not_kept: "没有保留之前的版本。",
  },
  changedSince: "之后又有改动",
  changedSinceNote: "智能体改完之后，文件又有改动。这里显示的是智能体的更改。",
  open: (path) => `在编辑器中打开 ${path}`,
  loading: "正在比较文件…",
  failed: "无法读取更改。",
  empty: {
    run: "上次运行没有更改文件。",
    earlier: "那次运行没有更改文件。",
    session: "本会话还没有更改任何文件。",
    tree: "与上次提交相比没有更改。",
    none: "打开一个会话，查看它的更改。",
  },
  without: {
    no_repository: "此文件夹不是 git 仓库，但仍可查看本会话的更改。",
    bare: "这是裸仓库，其中没有文件。请打开它的克隆或工作树。",
    no_git: "此电脑没有安装 git，但仍可查看本会话的更改。",
    old_git: "此电脑上的 git 版本太旧。请安装 2.31 或更高版本；仍可查看本会话的更改。",
  },
  untrusted: "文件夹里的 git 设置可能会运行程序。信任此文件夹后才会启用 git。",
  trust: "查看并信任…",
  nothingYet: "还没有任何更改，正在等待你的决定。",
  undo: {
    title: "撤销",
    submit: (count) => `撤销 ${files(count)}`,
    done: (count) => `已撤销：${files(count)}`,
  },
  redo: {
    title: "重做",
    submit: (count) => `重做 ${files(count)}`,
    done: (count) => `已重做：${files(count)}`,
  },
  restore: {
    will: {
      run: willReturn("上次运行之前"),
      earlier: willReturn("那次运行之前"),
      session: willReturn("本会话之前"),
      point: willReturn("此时"),
    },
    laterRuns: "之后各次运行所做的更改也会一并撤销。",
    willNothing: "没有选中文件。",
    limits: "当前版本会保留，之后可以再换回来。被忽略的文件、链接和空文件夹保持不变。",
    beyond: (most, left) => `一次最多恢复${files(most)}，另有${files(left)}这次不会改动，之后再撤销一次即可恢复。`,
    looking: "正在检查会有哪些变化…",
    nothing: "文件与当时一致，无需恢复。",
    what: "撤销范围",
    filesOnly: "仅文件",
    both: "文件和对话",
    bothNote: "对话也会回退到此处，之后可以重做。",
    action: { write: "恢复之前的版本", create: "重新创建", remove: "移到回收站" },
    conflict: "之后在本会话以外又有改动。确定可以覆盖时再勾选。",
    lost: { too_large: "文件太大，当时没有保留。", not_kept: "没有保留当时的版本。" },
    show: (path) => `查看 ${path} 的变化`,
    conversationOnly: "回退到此处",
    failed: "以下文件没有改动",
    busy: "会话仍在运行。请先停止。",
  },
  timeline: {
    menu: "时间线",
    title: (name) => `${name} 的时间线`,
    note: "被运行或恢复操作替换掉的版本，均与文件的当前内容比较。",
    none: "还没有运行改动过这个文件。",
    failed: "无法读取时间线。",
    before: {
      run: (title) => `“${title}”改动之前`,
      restore: (title) => `在“${title}”中恢复之前`,
    },
    restore: "恢复此版本",
    otherChanges: "包含你或其他程序的改动",
    same: "与文件的当前内容相同。",
    will: {
      write: "恢复时会做以上改动。",
      create: "恢复时会重新创建该文件。",
      remove: "当时还没有这个文件：恢复时会将其移到回收站。",
    },
    restored: (path) => `已恢复 ${path} 的一个版本`,
    undone: (path) => `已撤销：${path}`,
  },
  trashTitle: "回收站",
  trashNote: "智能体删除的文件，以及撤销时移除的文件。它们存放在项目之外，直到你彻底删除。",
  trashEmpty: "回收站是空的。",
  trashFailed: "无法读取回收站。",
  folder: (count) => `文件夹，${files(count)}`,
  putBack: "恢复",
  removeForGood: "彻底删除",
  removeAsk: (path) => `彻底删除 ${path}？此操作无法撤销。`,
  older: "更早的",
};

import type { branches as english } from "../en/branches";

export const branches: typeof english = {
  run: "回答操作",
  fork: "从这里分叉",
  forkAfterNote: "新建会话，带上到此为止的全部内容",
  name: "添加书签",
  rename: "重命名书签",
  again: "重试",
  againWith: (model) => `用 ${model} 重试`,
  later: "运行结束后可用",
  nothingToRedo: "没有可重做的内容。",
  nothingToRewind: "没有可回退的内容。",
  forked: "已分叉为新的会话。",
};

import type { review as english } from "../../en/late/review";

export const review: typeof english = {
  files: "更改的文件",
  filter: "筛选文件",
  noMatch: "没有匹配的文件。",
  layout: "更改的显示方式",
  layouts: {
    auto: "宽度足够时并排显示",
    unified: "单栏",
    split: "并排",
    wraps: "长行自动换行",
  },
  seen: (path) => `已看过：${path}`,
  seenLabel: "已看过",
};

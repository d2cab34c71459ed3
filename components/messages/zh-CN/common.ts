import type { common as english } from "../en/common";

export const common: typeof english = {
  cancel: "取消",
  close: "关闭",
  copy: "复制",
  copied: "已复制",
  details: "详情",
  remove: "移除",
  retry: "重试",
  save: "保存",
  showAll: "全部显示",
  showLess: "收起",
  loading: "正在加载",
  language: { en: "English", "zh-CN": "简体中文" },
  hidden: {
    control: (name) => `控制字符 ${name}`,
    bidi: (name) => `文字方向控制符 ${name}`,
    invisible: (name) => `不可见字符 ${name}`,
  },
};

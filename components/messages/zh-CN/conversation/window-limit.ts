import type { windowLimit as english } from "../../en/conversation/window-limit";

export const windowLimit: typeof english = {
  model: (window) => `这个模型最多支持 ${window} 个词元。请换窗口更大的模型。`,
  memory: "此电脑的内存放不下更大的窗口。",
  smallest: "已经是最小的窗口了。请换小一些的模型。",
};

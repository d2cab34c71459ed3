import type { upload as english } from "../../en/late/upload";

export const upload: typeof english = {
  running: (name, number, files) => (files === 1 ? `正在上传 ${name}` : `正在上传 ${name}（${number}/${files}）`),
  progress: "上传进度",
  bytes: (sent, all) => `${sent} / ${all}`,
  cancel: "取消上传",
  done: (subject, folder) => `已将 ${subject} 上传到 ${folder}`,
  cancelled: "已取消上传",
  cancelledAfter: (subject) => `已取消上传，此前已上传 ${subject}`,
  cut: "连接中断，文件没有传完。请确认服务器正在运行且文件仍然存在，然后重新上传。",
  badName: "名称中含有不允许的字符。请重命名后再上传。",
  tooLarge: (max) => `无法上传超过 ${max} 的文件。请直接把它复制到项目文件夹中。`,
  existsTitle: "替换现有文件？",
  fileExists: (name, folder) => `${folder} 中已有 ${name}。如果替换，现有文件会移到回收站。`,
  folderExists: (name, folder) => `${folder} 中已有名为 ${name} 的文件夹，不能用文件替换它。`,
  forAll: (count) => `对其余 ${count} 个已存在的文件也这样处理`,
  replace: "替换",
  keepBoth: "两个都保留",
  skip: "跳过",
};

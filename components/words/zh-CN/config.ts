import type { config as english } from "../en/config";

export const config: typeof english = {
  agent: {
    runs: "运行",
    context: "上下文",
    tools: "工具",
    fields: {
      maxSteps: { label: "步数上限", note: "运行到这个步数会暂停，由你决定是否继续。1 到 500。" },
      maxRunMinutes: { label: "时间上限", note: "单位为分钟，不计等待你的时间。0 表示不限。" },
      retries: { label: "重试次数", note: "模型服务出错后自动重试，间隔逐次加长。0 到 10。" },
      stallSeconds: { label: "停顿上限", note: "回答中途静默多少秒后放弃。0 表示不限。" },
      compactionPercent: { label: "压缩阈值", note: "占上下文窗口的百分比，超过后较早的消息会被总结。30 到 85。" },
      keptMessages: { label: "保留消息数", note: "压缩时最近的消息原样保留。1 到 40。" },
      treeDepth: { label: "目录树深度", note: "模型在第一条消息里看到的目录层数。1 到 5。" },
      treeFolderEntries: { label: "每个目录的条目数", note: "用于同一棵目录树。5 到 500。" },
      bashTimeoutSeconds: { label: "命令超时", note: "单位为秒，模型没有另外要求时使用。1 到 600。" },
      bashOutputBytes: { label: "命令输出", note: "模型得到的字节数，取开头和结尾。完整输出随时可以打开。" },
      readLines: { label: "每次读取行数", note: "20 到 5,000。" },
      grepMatches: { label: "每次搜索匹配数", note: "5 到 1,000。" },
      findEntries: { label: "每次查找文件数", note: "10 到 1,000。" },
    },
  },
  file: {
    title: "config.yaml",
    note: "设置里的所有改动都保存在这个文件中。在这里或任何编辑器里修改，立即生效。",
    placeholder: "# tools:\n#   bash_timeout: 60s",
    copyPath: "复制路径",
    save: "保存",
    discard: "放弃修改",
    changedMeanwhile: "打开之后，磁盘上的文件已被修改。放弃你的修改即可载入新内容。",
    line: (line) => `第 ${line} 行`,
    problems: {
      bad_syntax: "不是有效的 YAML，整个文件不会生效。",
      bad_value: "不能是这个值。",
      unknown_key: "不是设置项，不起作用。",
      too_large: "文件太大。",
    },
  },
};

import type { externalTools as english } from "../../en/late/external-tools";

export const externalTools: typeof english = {
  from: "来源：",
  why: {
    first_use: "此项目中首次调用",
    changed_definition: "自你允许后已变更",
    read_external: "此会话读取过外部内容",
    untrusted_folder: "来自你未信任的文件夹",
    first_message: "此会话首次向对方发消息",
    sends_file: "将项目中的文件发送给对方",
    all_projects: "此后所有项目的每个会话都会收到这条笔记",
    new_host: "首次请求此主机",
    unseen_url: "此长网址只由模型写出，可能泄露数据",
    holds_secret: "会发送疑似密钥的内容",
  },
  host: "主机",
  sentTo: "发送到",
  sentToFirst: "发送到其中第一个有响应的：",
  parameters: "参数：",
  saysOfItself: "该工具的自我描述：",
  input: "调用的输入",
  files: "结果中的文件",
  save: "保存",
  saveFile: (name) => `保存 ${name}`,
  saveFailed: "无法读取文件，请重试。",
  fields: {
    spawn: { task: "任务", look: "只读" },
    remember: { text: "笔记", where: "适用范围", replaces: "替换" },
    recall: { query: "关键词" },
    web_search: { query: "关键词" },
    web_fetch: { url: "地址", from: "起始字符" },
  },
  values: {
    spawn: { look: { true: "是", false: "否" } },
    remember: { where: { project: "当前项目", general: "所有项目" } },
  },
  noInput: "此调用没有输入。",
};

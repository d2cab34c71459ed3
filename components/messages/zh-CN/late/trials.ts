/** Messages of trials of tools in the settings, in Chinese. */
import type { trials as english } from "../../en/late/trials";

export const trials: typeof english = {
  tryIt: "试用",
  tryOf: (name) => `试用 ${name}`,
  tryNote: "填写需要的字段，空字段不会发送。列表和对象用 JSON 书写。",
  required: "必填",
  notSent: "不发送",
  choose: "请选择",
  problems: {
    missing: (field) => `必须填写 ${field}。`,
    whole_number: (field) => `${field} 必须是整数。`,
    number: (field) => `${field} 必须是数字。`,
    boolean: (field) => `${field} 必须是 true 或 false。`,
    list: (field) => `${field} 必须是 JSON 列表，例如 ["a", "b"]。`,
    object: (field) => `${field} 必须是 JSON 对象，例如 {"a": 1}。`,
    json: (field) => `${field} 必须是 JSON。`,
  },
  noFields: "这个工具不需要输入。",
  review: "显示调用",
  reviewNote: "点击“调用”后，以下内容会发送给服务器。调用期间服务器提出的问题会被拒绝。",
  reviewScript: "点击“调用”后，将以下列内容运行扩展的脚本：",
  send: "调用",
  stop: "停止",
  stopped: "已停止。工具在此之前所做的更改不会撤销。",
  answer: "响应",
  reportedFailure: "工具报告调用失败。",
  images: "响应中的图片",
  image: (number) => `图片 ${number}`,
  unusable: "现在无法调用这个工具。请检查它是否已启用并获得批准。",
  changed: "显示调用之后，这个工具有了变化。请重新显示调用。",
};

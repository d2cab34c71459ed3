/** Messages of notices that the server opens, in Chinese. */
import type { notices as english } from "../../en/late/notices";

export const notices: typeof english = {
  paused: (name) => `自动任务“${name}”连续多次失败，已暂停。`,
  sessions: {
    waiting: "正在等待你的批准",
    done: "运行已完成",
    limit: "达到限制，运行已暂停",
    failed: "运行出错",
    interrupted: "运行被中断",
  },
  open: "查看",
  push: {
    title: "推送",
    about: "没有打开标签页时，也能在设备上收到通知。添加设备之前不会启用。",
    insecure:
      "浏览器不在未加密的 http 下提供推送。请通过 http://localhost 打开，或用 --tls-cert 和 --tls-key 启动 gopi-web。",
    unsupported: "此浏览器在这里不支持推送。在 iPhone 或 iPad 上，请先把 gopi-web 添加到主屏幕，再从那里打开。",
    add: "添加此设备",
    agree: "添加",
    terms: [
      "消息由浏览器厂商的推送服务（例如 Google、Mozilla 或 Apple）转发。它会知道此服务器在何时发送了消息。",
      "消息经过加密，内容只有“有会话需要你处理”。标题、文字和文件都留在此电脑上。",
      "不能直接在消息里批准。点按后会打开会话。",
    ],
    denied: "此地址的通知已被阻止。请在浏览器的网站设置中允许，然后重试。",
    failed: "浏览器无法订阅，推送服务可能已关闭或无法连接。请稍后重试。",
    current: "当前浏览器",
    unknown: "未知浏览器",
    since: (time) => `添加于 ${time}`,
    via: (host) => `经由 ${host}`,
    remove: "移除",
    removeNamed: (name) => `移除 ${name}`,
  },
};

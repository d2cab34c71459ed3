/** 分享：会话所有者的对话框与观看者的页面。 */
import type { share as english } from "../../en/sharing/share";

export const share: typeof english = {
  title: "分享会话",
  listTitle: "已分享的会话",
  kind: "对方看到的内容",
  kinds: {
    live: { name: "实时", note: "对方可以实时跟进会话。" },
    frozen: { name: "快照", note: "对方只能看到此刻的内容，看不到之后的。" },
  },
  outputs: "显示输出",
  outputsNote: "命令输出和文件内容。关闭后，对方只能看到用过哪些工具。",
  hours: "链接有效期",
  durations: { hour: "1 小时", workday: "8 小时", day: "1 天", week: "7 天", month: "30 天" },
  promise:
    "同一网络中持有链接的人都能阅读整个对话，但不能做任何操作。密钥和主目录路径会被遮盖，但无法识别的机密可能漏掉。",
  create: "创建链接",
  made: "链接已就绪",
  madeNote: "链接只显示这一次。它使用未加密的 http，能监听此网络的人也能看到内容。",
  madeHere: "链接只显示这一次。此电脑没有联网，链接只能在此电脑上打开。",
  again: "创建新链接",
  address: "此电脑的地址",
  addressNote: "请选择对方设备所在网络的地址。",
  link: "链接",
  copy: "复制链接",
  qr: "链接的二维码",
  active: "有效链接",
  elsewhere: "其他会话的链接",
  show: "打开会话",
  looking: (count) => `${count} 人在看`,
  noViewers: "暂无人观看",
  viewers: "谁在看",
  madeAt: (time) => `创建于 ${time}`,
  outputsOff: "不含输出",
  revoke: "撤销",
  revoked: "链接已撤销",
  none: "没有有效链接",
  noneNote: "打开一个会话即可分享。",
  left: {
    days: (days) => `剩余 ${days} 天`,
    hours: (hours) => `剩余 ${hours} 小时`,
    minutes: (minutes) => `剩余 ${minutes} 分钟`,
    moments: "剩余不到一分钟",
  },
  viewer: {
    title: "分享的会话",
    connecting: "正在连接",
    live: "实时",
    frozen: (time) => `快照：${time}`,
    empty: "这里还没有内容",
    emptyNote: "有新消息时会显示在这里。",
    lost: "连接已断开，正在重连…",
    gone: "分享此会话的电脑没有响应，页面会自动重试。",
    again: "重试",
    refused: {
      ended: {
        title: "此分享已结束",
        note: "链接已被撤销、已过期，或不完整。请向发送者索取新链接。",
      },
      revoked: {
        title: "此分享已结束",
        note: "所有者刚刚撤销了链接。如仍需要，请索取新链接。",
      },
      expired: {
        title: "此分享已结束",
        note: "链接的有效期已过。如仍需要，请索取新链接。",
      },
      full: {
        title: "观看人数已满",
        note: "此会话的观看人数已达上限，请稍后再试。",
      },
      noLink: {
        title: "链接不完整",
        note: "请重新打开收到的完整链接，或再次扫描二维码。",
      },
    },
  },
};

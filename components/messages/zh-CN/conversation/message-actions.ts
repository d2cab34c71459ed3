/** Messages of the actions of a message, and after a rewind, in Chinese. */
import type { messageActions as english } from "../../en/conversation/message-actions";

export const messageActions: typeof english = {
  message: "消息操作",
  copy: "复制",
  edit: "编辑并重新发送",
  editing: "编辑后的消息",
  editNote: "替换这条消息。之后的内容会先搁置，不会丢失。",
  send: "保存并发送",
  rewind: "回退到这条消息之前",
  rewindNote: "之后的内容会先搁置，不会丢失",
  forkBefore: "从这条消息之前分叉",
  forkNote: "新建会话，带上此前的全部内容",
  nameLabel: "书签名称",
  restore: "恢复文件…",
  restoreNote: "恢复到这条消息之前的状态",
  aside: (count) => `已回退。${count} 条消息及其结果已搁置。`,
  asideSome: "已回退。之后的内容已搁置。",
  redo: "重做",
};

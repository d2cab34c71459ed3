import type { plan as english } from "../../en/conversation/plan";

export const plan: typeof english = {
  title: "计划",
  progress: (done, total) => `${done}/${total}`,
  allDone: "所有步骤都已完成",
  show: "展开计划",
  collapse: "收起计划",
  dismiss: "隐藏，计划有变化时再显示",
  done: "已完成",
  open: "待办",
  edit: "编辑计划",
  stepText: (index) => `第 ${index} 步`,
  stepDone: (index) => `第 ${index} 步已完成`,
  remove: (index) => `删除第 ${index} 步`,
  add: "添加步骤",
  send: "发送给模型",
  sendAndContinue: "发送并继续",
  changed: "计划在此期间有变化。发送后将以你的版本为准，模型已勾选的步骤保持勾选。",
  lead: "我修改了计划，请按下面的计划继续：",
};

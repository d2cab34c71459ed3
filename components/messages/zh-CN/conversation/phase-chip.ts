import type { phaseChip as english } from "../../en/conversation/phase-chip";

export const phaseChip: typeof english = {
  retrying: (attempt, max, duration) => `${duration}后重试（${attempt}/${max}）`,
  retryingNow: (attempt, max) => `正在重试（${attempt}/${max}）`,
  queued: (count) => `排队中，前面 ${count} 个`,
  position: (position) => `排队中，第 ${position} 位`,
  positionLine: (position) => `在模型服务器的队列中排第 ${position} 位`,
  reading: (tokens) => `读取 ${tokens} 词元`,
  calling: (tool) => `准备 ${tool}`,
};

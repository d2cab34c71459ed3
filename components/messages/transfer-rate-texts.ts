/** Speed and remaining time of a download: "2.1 MB/s", "3 min 5 s left". Unknown values are left out. Pure. */
import type { TransferRate } from "@/lib/models/engine";
import type { Messages } from "./messages";

export const transferRateTexts = (
  { bytesPerSecond = 0, secondsLeft }: TransferRate,
  { models, figures }: Pick<Messages, "models" | "figures">,
): readonly string[] => [
  ...(bytesPerSecond > 0 ? [models.perSecond(figures.bytes(bytesPerSecond))] : []),
  ...(secondsLeft === undefined ? [] : [models.timeLeft(figures.duration(Math.round(secondsLeft) * 1000))]),
];

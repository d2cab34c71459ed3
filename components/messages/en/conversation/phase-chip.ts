/** Messages of the chip with the state of a run, and of the line in the conversation. */
import { tokenCountText } from "../token-count-text";

export const phaseChip = {
  retrying: (attempt: number, max: number, duration: string) => `retrying in ${duration} (${attempt} of ${max})`,
  retryingNow: (attempt: number, max: number) => `retrying (${attempt} of ${max})`,
  queued: (count: number) => `queued, ${count} ahead`,
  position: (position: number) => `queued, position ${position}`,
  positionLine: (position: number) => `Position ${position} in the model server's queue`,
  reading: (tokens: string) => `reading ${tokenCountText(tokens)}`,
  calling: (tool: string) => `preparing ${tool}`,
};

import { retryLimit, waitMs } from "./limits.js";

export async function load(address) {
  for (let attempt = 1; attempt <= retryLimit; attempt += 1) {
    const answer = await fetch(address).catch(() => null);
    if (answer !== null) return answer;
    await new Promise((resolve) => setTimeout(resolve, waitMs * attempt));
  }
  throw new Error(`no answer after ${retryLimit} attempts`);
}

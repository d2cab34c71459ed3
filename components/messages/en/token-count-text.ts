/** A formatted number of tokens with its unit: "1 token", "1.2k tokens". */
export const tokenCountText = (tokens: string): string => (tokens === "1" ? "1 token" : `${tokens} tokens`);

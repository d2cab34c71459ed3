/** Default model: the first of these that is installed. Gopi's come first, then newer families. */
export const preferredModels = ["qwen2.5-coder:7b", "qwen3:8b", "qwen3.5:9b", "gpt-oss:20b", "qwen3.5:4b"] as const;

/** Suggested if no model is installed: download size and memory with a 16k window, both in GB. */
export const suggestedModels = [
  { name: "qwen3.5:9b", downloadGb: 6.6, memoryGb: 9, note: "balanced" },
  { name: "qwen3.5:4b", downloadGb: 3.4, memoryGb: 5, note: "light" },
  { name: "gpt-oss:20b", downloadGb: 14, memoryGb: 16, note: "strong" },
  { name: "qwen3-coder:30b", downloadGb: 19, memoryGb: 24, note: "coding" },
] as const;

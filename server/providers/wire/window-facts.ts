/** Extracts token counts from a server's refusal of a prompt that is too long. Pure. */
type Size = "tokens" | "window";

/** Known sentences and the meaning of their numbers; the first match decides. */
const sizePatterns: readonly { readonly says: RegExp; readonly sizes: readonly Size[] }[] = [
  // vLLM, by version and place
  {
    says: /maximum context length (?:is|of) (\d+).{0,80}?prompt contains at least (\d+)/,
    sizes: ["window", "tokens"],
  },
  {
    says: /maximum context length (?:is|of) (\d+).{0,80}?requested \d+ tokens \((\d+) in the (?:messages|prompt)/,
    sizes: ["window", "tokens"],
  },
  { says: /passed (\d+) input tokens.{0,120}?context length is only (\d+)/, sizes: ["tokens", "window"] },
  { says: /prompt \(length (\d+)\).{0,60}?maximum model length of (\d+)/, sizes: ["tokens", "window"] },
  // SGLang
  { says: /maximum context length of (\d+).{0,80}?: (\d+) tokens from the input/, sizes: ["window", "tokens"] },
  // OpenAI, OpenRouter, DeepSeek, vLLM
  { says: /maximum context length (?:is|of) (\d+).{0,120}?(\d+) (?:input )?tokens/, sizes: ["window", "tokens"] },
  // Claude
  { says: /(\d+) tokens > (\d+) maximum/, sizes: ["tokens", "window"] },
  { says: /context limit: (\d+) \+ \d+ > (\d+)/, sizes: ["tokens", "window"] },
  // Gemini
  { says: /token count \((\d+)\) exceeds.{0,80}\((\d+)\)/, sizes: ["tokens", "window"] },
  // llama.cpp
  { says: /\((\d+) tokens\).{0,80}\((\d+) tokens\)/, sizes: ["tokens", "window"] },
  // LM Studio, three versions
  { says: /first (\d+) tokens.{0,120}context length of only (\d+)/, sizes: ["tokens", "window"] },
  { says: /n_keep\D{0,4}(\d+)\D{1,8}n_ctx\D{0,4}(\d+)/, sizes: ["tokens", "window"] },
  { says: /context length of (?:only )?(\d+)/, sizes: ["window"] },
  // DashScope, Ark
  { says: /input length should be \[\d+, (\d+)\]/, sizes: ["window"] },
  { says: /length (\d+) exceeds the maximum length (\d+)/, sizes: ["tokens", "window"] },
];

const sizeFields: readonly (readonly [Size, RegExp])[] = [
  ["tokens", /n_prompt_tokens\W{1,6}(\d{1,9})/],
  ["window", /n_ctx\W{1,6}(\d{1,9})/],
];

/** `tokens` of the prompt and of the `window`, as far as the text contains them. */
export function parseWindowFacts(words: string): { readonly [name in Size]?: number } {
  const facts: { [name in Size]?: number } = {};
  for (const [size, pattern] of sizeFields) {
    const found = /n_prompt_tokens/.test(words) ? pattern.exec(words)?.[1] : undefined;
    if (found !== undefined) facts[size] = Number(found);
  }
  if (Object.keys(facts).length > 0) return facts;
  const plain = words.replace(/(\d),(?=\d{3}\b)/g, "$1").replace(/\s+/g, " ");
  for (const { says, sizes } of sizePatterns) {
    const match = says.exec(plain);
    if (match === null) continue;
    for (const [at, size] of sizes.entries()) facts[size] = Number(match[at + 1]);
    return facts;
  }
  return facts;
}

/**
 * Writes a model without trained weights that outputs scripted answers, for tests against a real llama-server: chat
 * template, tokenizer, sampler, parsers, window and prompt cache are real, only the output is fixed. Types are in
 * test-tiny-model.d.mts.
 * Method: the attention and feed-forward weights of the layer are zero, so its output is the embedding of the last
 * token. Each token has a row of random signs in the output matrix, and its embedding is the row of the token that must
 * follow it: that one gets by far the highest logit, at any temperature. The template ends a prompt with a dedicated
 * token for each number of assistant messages, which starts the answer of that number. Text is one token per byte.
 */
import { writeFileSync } from "node:fs";

const width = 256;
const headWidth = 64;
const hidden = 32;
const tokenTypes = { normal: 1, control: 3 };

/** The letter that byte-level vocabularies use for each byte. */
const byteLetters = Array.from({ length: 256 }, () => "");
let spare = 256;
for (let byte = 0; byte < 256; byte += 1) {
  const isVisible = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  byteLetters[byte] = String.fromCharCode(isVisible ? byte : spare++);
}
const lettersOf = (text) => [...Buffer.from(text)].map((byte) => byteLetters[byte]).join("");

/** Tokens by text, each with its successor. */
class Vocabulary {
  tokens = [];
  next = new Map();
  #ids = new Map();

  constructor() {
    for (const letter of byteLetters) this.add(letter);
  }
  has = (text) => this.#ids.has(text);
  add(text, type = tokenTypes.normal) {
    const existing = this.#ids.get(text);
    if (existing !== undefined) return existing;
    this.#ids.set(text, this.tokens.length);
    return this.tokens.push({ text, type }) - 1;
  }

  /**
   * Adds the words of an answer as tokens, each word joined with the next ones until no other answer has the token.
   * Returns the first token.
   */
  addAnswer(text, end) {
    const chain = [];
    let piece = "";
    for (const word of text.match(/ ?[\p{L}\d]+|\s+|[^\p{L}\d\s]{1,4}/gu) ?? []) {
      piece += word;
      if (this.has(lettersOf(piece))) continue;
      chain.push(this.add(lettersOf(piece)));
      piece = "";
    }
    // A rest that other answers share is padded with spaces, which no test checks.
    while (piece !== "" && this.has(lettersOf(piece))) piece += " ";
    if (piece !== "") chain.push(this.add(lettersOf(piece)));
    for (const [index, id] of chain.entries()) this.next.set(id, chain[index + 1] ?? end);
    return chain[0] ?? end;
  }
}

/** Gemma and Mistral reject roles that do not alternate. */
const alternation = `{%- set turn = namespace(user=true) %}
{%- for message in messages %}{%- if message.role != 'system' %}
{%- if (message.role == 'user') != turn.user %}{{- raise_exception('Conversation roles must alternate user/assistant') }}{%- endif %}
{%- set turn.user = not turn.user %}
{%- endif %}{%- endfor %}
`;

const toolsText = `{%- if tools %}{{- '\\n\\nYou may call functions. Their signatures:\\n<tools>' }}{%- for tool in tools %}{{- '\\n' + (tool | tojson) }}{%- endfor %}
{{- '\\n</tools>\\nAnswer a call as <tool_call>\\n{"name": <name>, "arguments": <object>}\\n</tool_call>' }}{%- endif %}`;

/** The server recognizes a thinking model by a template that renders past thoughts. */
const thoughtText = `{%- if message.reasoning_content %}{{- '<think>\\n' + message.reasoning_content + '\\n</think>\\n\\n' }}{%- endif %}
`;

const templateOf = ({ thinks, alternates }) => {
  const step = thinks
    ? `{{- ('<|answer' if enable_thinking is defined and not enable_thinking else '<|think') ~ at.step ~ '|>' }}`
    : `{{- '<|answer' ~ at.step ~ '|>' }}`;
  return `${alternates ? alternation : ""}{%- set at = namespace(step=1) %}
{{- '<|start|>system\\n' }}{%- if messages[0].role == 'system' %}{{- messages[0].content }}{%- endif %}${toolsText}{{- '<|stop|>\\n' }}
{%- for message in messages %}
{%- if message.role == 'assistant' %}
{{- '<|start|>assistant\\n' }}${step}{%- set at.step = at.step + 1 %}
${thinks ? thoughtText : ""}{%- if message.content %}{{- message.content }}{%- endif %}
{%- for call in message.tool_calls or [] %}
{{- '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' }}
{{- call.function.arguments if call.function.arguments is string else call.function.arguments | tojson }}{{- '}\\n</tool_call>' }}
{%- endfor %}{{- '<|stop|>\\n' }}
{%- elif message.role == 'tool' %}{{- '<|start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|stop|>\\n' }}
{%- elif not (loop.first and message.role == 'system') %}{{- '<|start|>' + message.role + '\\n' + message.content + '<|stop|>\\n' }}
{%- endif %}{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start|>assistant\\n' }}${step}{%- endif %}`;
};

// GGUF file format, version 3

const u32 = (value) => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const f32 = (value) => Buffer.from(Float32Array.of(value).buffer);
const text = (value) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
const kinds = {
  u32: [4, u32],
  i32: [5, u32],
  f32: [6, f32],
  flag: [7, (value) => Buffer.of(value ? 1 : 0)],
  text: [8, text],
};
const valueOf = ([kind, value]) => {
  const [code, bytes] = kinds[kind];
  return Array.isArray(value)
    ? Buffer.concat([u32(9), u32(code), u64(value.length), ...value.map(bytes)])
    : Buffer.concat([u32(code), bytes(value)]);
};
const aligned = (size) => Math.ceil(size / 32) * 32;

/** Random signs as 16-bit floats, deterministic per seed. */
function signs(seed) {
  const row = Buffer.alloc(width * 2);
  let state = (seed + 1) * 0x9e3779b1;
  for (let column = 0; column < width; column += 1) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    state = Math.imul(state ^ (state >>> 12), 0x297a2d39) + 0x6d2b79f5;
    row.writeUInt16LE(((state ^ (state >>> 15)) >>> 7) & 1 ? 0x3c00 : 0xbc00, column * 2);
  }
  return row;
}

const half = (name, shape, data) => ({ name, shape, code: 1, size: shape.reduce((a, b) => a * b) * 2, data });
const ones = (name) => ({
  name,
  shape: [width],
  code: 0,
  size: width * 4,
  data: Buffer.concat(Array(width).fill(f32(1))),
});

function tensorsOf({ tokens, next }, otherwise) {
  const rows = tokens.map((_, id) => signs(id));
  const weights = {
    attn_q: width,
    attn_k: headWidth,
    attn_v: headWidth,
    attn_output: width,
    ffn_gate: hidden,
    ffn_up: hidden,
  };
  return [
    half(
      "token_embd.weight",
      [width, rows.length],
      Buffer.concat(rows.map((_, id) => rows[next.get(id) ?? otherwise])),
    ),
    half("output.weight", [width, rows.length], Buffer.concat(rows)),
    ones("output_norm.weight"),
    ones("blk.0.attn_norm.weight"),
    ones("blk.0.ffn_norm.weight"),
    ...Object.entries(weights).map(([part, outputs]) => half(`blk.0.${part}.weight`, [width, outputs])),
    half("blk.0.ffn_down.weight", [hidden, width]),
  ].map((tensor) => ({ ...tensor, data: tensor.data ?? Buffer.alloc(tensor.size) }));
}

const numbers = (values, prefix) => Object.entries(values).map(([key, value]) => [`${prefix}.${key}`, ["u32", value]]);

function metadataOf({ tokens }, { context, start, stop, template }) {
  const shape = {
    "attention.head_count": width / headWidth,
    "attention.head_count_kv": 1,
    "rope.dimension_count": headWidth,
  };
  const sizes = { vocab_size: tokens.length, context_length: context, embedding_length: width, block_count: 1 };
  return [
    ["general.architecture", ["text", "llama"]],
    ["general.name", ["text", "tiny"]],
    ...numbers({ ...sizes, feed_forward_length: hidden, ...shape }, "llama"),
    ["llama.attention.layer_norm_rms_epsilon", ["f32", 1e-6]],
    ["tokenizer.ggml.model", ["text", "gpt2"]],
    ["tokenizer.ggml.pre", ["text", "qwen2"]],
    ["tokenizer.ggml.tokens", ["text", tokens.map((token) => token.text)]],
    ["tokenizer.ggml.token_type", ["i32", tokens.map((token) => token.type)]],
    ["tokenizer.ggml.merges", ["text", [`${byteLetters[13]} ${byteLetters[10]}`]]],
    ...numbers({ bos_token_id: start, eos_token_id: stop, padding_token_id: stop }, "tokenizer.ggml"),
    ["tokenizer.ggml.add_bos_token", ["flag", false]],
    ["tokenizer.chat_template", ["text", template]],
  ];
}

export function writeTinyModel(
  path,
  { answers, otherwise = "I have nothing to add.", context = 32_768, alternates = false },
) {
  const words = new Vocabulary();
  words.add(byteLetters[13] + byteLetters[10]);
  const [start, stop] = ["<|start|>", "<|stop|>"].map((name) => words.add(name, tokenTypes.control));
  const thinks = answers.some(({ thinking }) => thinking !== undefined);
  for (const [index, { thinking, text: content }] of answers.entries()) {
    const first = words.addAnswer(content, stop);
    words.next.set(words.add(`<|answer${index + 1}|>`, tokenTypes.control), first);
    if (!thinks) continue;
    const thought = thinking === undefined ? first : words.addAnswer(`<think>\n${thinking}\n</think>\n\n`, first);
    words.next.set(words.add(`<|think${index + 1}|>`, tokenTypes.control), thought);
  }
  const rest = words.addAnswer(otherwise, stop);
  words.next.set(stop, stop);
  const tensors = tensorsOf(words, rest);
  const metadata = metadataOf(words, { context, start, stop, template: templateOf({ thinks, alternates }) });
  let offset = 0;
  const infos = tensors.map(({ name, shape, code, size }) => {
    const info = Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(code), u64(offset)]);
    offset += aligned(size);
    return info;
  });
  const entries = metadata.map(([key, value]) => Buffer.concat([text(key), valueOf(value)]));
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    u32(3),
    u64(tensors.length),
    u64(metadata.length),
    ...entries,
    ...infos,
  ]);
  const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length) - bytes.length)]);
  writeFileSync(path, Buffer.concat([padded(head), ...tensors.map(({ data }) => padded(data))]));
}

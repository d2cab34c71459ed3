/** Writes GGUF files for tests. */
export type TestEntry = readonly [
  name: string,
  type: "text" | "u32" | "bool" | "f32" | "u64" | "texts" | "u32s",
  value: unknown,
];

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const text = (value: string): Buffer => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
const f32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function valueOf([, type, value]: TestEntry): Buffer {
  switch (type) {
    case "text":
      return Buffer.concat([u32(8), text(String(value))]);
    case "u32":
      return Buffer.concat([u32(4), u32(Number(value))]);
    case "u64":
      return Buffer.concat([u32(10), u64(Number(value))]);
    case "f32":
      return Buffer.concat([u32(6), f32(Number(value))]);
    case "bool":
      return Buffer.concat([u32(7), Buffer.from([value === true ? 1 : 0])]);
    case "texts":
      return Buffer.concat([u32(9), u32(8), u64(list(value).length), ...list(value).map((one) => text(String(one)))]);
    case "u32s":
      return Buffer.concat([u32(9), u32(4), u64(list(value).length), ...list(value).map((one) => u32(Number(one)))]);
  }
}

export const encodeGguf = (entries: readonly TestEntry[], version = 3): Buffer =>
  Buffer.concat([
    Buffer.from("GGUF"),
    u32(version),
    u64(0),
    u64(entries.length),
    ...entries.flatMap((entry) => [text(entry[0]), valueOf(entry)]),
  ]);

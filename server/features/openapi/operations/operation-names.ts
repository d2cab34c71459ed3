/** Names of operations as tools: their sanitised ids, else method and path, as in `get_pets_by_id`. Pure. */
import { computeHash } from "@/server/base/id";

const maxNameChars = 64;
const hashChars = 6;

const toPlain = (text: string): string => text.replace(/[^A-Za-z0-9_-]+/g, "_").replace(/^_+|_+$/g, "");

const cut = (name: string, source: string): string =>
  name.length <= maxNameChars
    ? name
    : `${name.slice(0, maxNameChars - hashChars - 1)}_${computeHash(source).slice(0, hashChars)}`;

function nameOfPath(method: string, path: string): string {
  const words = path
    .split("/")
    .map((part) => toPlain(part.replace(/\{([^}]*)\}/g, "_by_$1_").replace(/_+/g, "_")))
    .filter((word) => word !== "");
  return [method.toLowerCase(), ...words].join("_");
}

/** Returns a function that names operations in their order; no two get the same name. */
export function makeOperationNames(): (method: string, path: string, id: string) => string {
  const taken = new Set<string>();
  return (method, path, id) => {
    const byPath = (): string => cut(nameOfPath(method, path), `${method} ${path}`);
    const plain = toPlain(id);
    const wanted = /[A-Za-z0-9]/.test(plain) ? cut(plain, id) : byPath();
    // Two ids can be the same, or become the same. So can paths: their fragments are not sent.
    let name = taken.has(wanted) ? byPath() : wanted;
    for (let number = 2; taken.has(name); number += 1) name = cut(`${wanted}_${number}`, `${method} ${path} ${number}`);
    taken.add(name);
    return name;
  };
}

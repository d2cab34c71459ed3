/** Reads JSON Pointers in the form of local references, `#/a/b`. Pure. */

/** Returns the value at `#/a/b`; undefined = there is none, or it is in another document. */
export function findPointerTarget(root: unknown, pointer: string): unknown {
  if (pointer !== "#" && !pointer.startsWith("#/")) return undefined;
  let target = root;
  for (const written of pointer.split("/").slice(1)) {
    const name = /[%~]/.test(written) ? decodePart(written).replaceAll("~1", "/").replaceAll("~0", "~") : written;
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, name)) return undefined;
    target = Reflect.get(target, name);
  }
  return target;
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

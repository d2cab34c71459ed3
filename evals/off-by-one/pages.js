/** Returns the items of a page; pages are counted from 1. */
export function pageOf(items, page, size) {
  const from = page * size;
  return items.slice(from, from + size - 1);
}

export const pageCount = (items, size) => Math.ceil(items.length / size);

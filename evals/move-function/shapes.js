export const square = (side) => ({ width: side, height: side });

export function area({ width, height }) {
  return width * height;
}

/** Formats a size for the terminal. */

/** In decimal units: 812 B, 4.7 GB. */
export function formatBytes(count: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const step = units.findIndex((_, index) => count < 999.5 * 1000 ** index);
  const index = step === -1 ? units.length - 1 : step;
  const value = count / 1000 ** index;
  return `${index > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[index]}`;
}

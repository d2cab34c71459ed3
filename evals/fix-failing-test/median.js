/** Returns the median of a list of numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort();
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

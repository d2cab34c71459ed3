import { discountFor } from "./discount.js";

export function total(items) {
  const sum = items.reduce((all, { price, count }) => all + price * count, 0);
  return sum - discountFor(sum);
}

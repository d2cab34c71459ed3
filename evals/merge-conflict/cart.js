const taxRate = 0.19;

/** Sum of the items with tax, rounded to cents. */
export function total(items) {
  const sum = items.reduce((all, { price, count }) => all + price * count, 0);
<<<<<<< HEAD
  return sum * (1 + taxRate);
=======
  return Math.round(sum * 100) / 100;
>>>>>>> rounding
}

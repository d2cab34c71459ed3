/** The sample project of the tour: a cart with one bug, which one of its tests finds. Needs nothing but Node. */

/** The change that repairs the bug. */
export const sampleFix = {
  path: "cart.js",
  old_string: "    total += item.price;",
  new_string: "    total += item.price * item.quantity;",
};

export const sampleTestCommand = "node --test";

const cart = `/** Returns what all items of a cart cost together, in cents. */
export function totalPrice(items) {
  let total = 0;
  for (const item of items) {
${sampleFix.old_string}
  }
  return total;
}

/** Returns the price after a discount in percent, in whole cents. */
export function withDiscount(price, percent) {
  return Math.round(price * (1 - percent / 100));
}
`;

const cartTest = `import assert from "node:assert/strict";
import { test } from "node:test";
import { totalPrice, withDiscount } from "./cart.js";

test("an empty cart costs nothing", () => {
  assert.equal(totalPrice([]), 0);
});

test("three pens at 150 cents cost 450 cents", () => {
  assert.equal(totalPrice([{ name: "pen", price: 150, quantity: 3 }]), 450);
});

test("a discount of 10 percent takes 45 of 450 cents", () => {
  assert.equal(withDiscount(450, 10), 405);
});
`;

const readme = `# Cart

The price of a shopping cart. The tests run with \`${sampleTestCommand}\`; one of them fails.
`;

const packageFile = `${JSON.stringify({ name: "cart", private: true, type: "module", scripts: { test: sampleTestCommand } }, null, 2)}\n`;

/** Text by file name. */
export const sampleFiles: Readonly<Record<string, string>> = {
  "README.md": readme,
  "cart.js": cart,
  "cart.test.js": cartTest,
  "package.json": packageFile,
};

/** Whether a text contains the code that the fix is for, with or without it. */
export const isSampleCode = (text: string): boolean => text.includes("export function totalPrice(items)");

import { prices } from "./lib/prices.js";
import { money } from "./lib/money.js";

for (const [name, price] of prices) console.log(`${pad(name, 6)} ${money(price)}`);

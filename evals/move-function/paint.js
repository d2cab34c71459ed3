import { area, square } from "./shapes.js";

/** Litres of paint for both sides of a square. */
export const paint = (side) => area(square(side)) * 2;

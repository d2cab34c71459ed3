import * as text from "./text.js";

export const headline = (title, most) => text.capitalize(text.shorten(title, most));

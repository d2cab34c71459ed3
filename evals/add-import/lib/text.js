export const pad = (text, width) => text.padEnd(width, " ");
export const cut = (text, width) => text.slice(0, width);

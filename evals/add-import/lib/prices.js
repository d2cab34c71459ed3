export const prices = [
  ["tea", 1.5],
  ["coffee", 2.25],
];

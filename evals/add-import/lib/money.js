export const money = (value) => value.toFixed(2);

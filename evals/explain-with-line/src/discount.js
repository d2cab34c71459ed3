/**
 * Discounts: 5 % from 100, 10 % from 500, never more than 200.
 * All amounts in euros.
 */
const steps = [
  { from: 100, share: 0.05 },
  { from: 500, share: 0.1 },
];
const most = 200;

export function discountFor(sum) {
  const step = steps.find(({ from }) => sum >= from);
  if (step === undefined) return 0;
  return Math.min(most, sum * step.share);
}

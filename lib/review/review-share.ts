/**
 * Share of the window for the notice of rejected changes, and again for the quotes of comments: together a sixteenth.
 */
export const reviewWindowShare = 1 / 32;

const pattern = /[0-9].[0-9].[0-9](-[a-z]*)?/;

export const isVersion = (text) => pattern.test(text);

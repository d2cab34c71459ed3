/** The retryLimit of the network is in another file. */
export const maxRows = 50;

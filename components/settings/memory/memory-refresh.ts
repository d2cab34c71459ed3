/** Queries of the memory that is shown: other programs may edit its files. */
export const memoryRefresh = { refetchOnWindowFocus: true, refetchInterval: 5_000 } as const;

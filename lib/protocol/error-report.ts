/** Most characters of an error that a page reports. */
export const errorReportMaxChars = 4_000;

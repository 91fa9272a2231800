/** When answers come in the cases, Unix seconds: 2027-01-15T08:00:00Z. */
export const NOW = 1_800_000_000;

/** The field value of a time so many seconds after `NOW` (RFC 9110 5.6.7). */
export const httpDate = (offsetSeconds = 0): string => new Date((NOW + offsetSeconds) * 1000).toUTCString();

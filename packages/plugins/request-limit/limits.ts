/** Apart from the schema, so that the form is loaded without it. */
export const FIND_SECONDS_MAX = 3600;
export const REQUESTS_MAX = 1_000_000;

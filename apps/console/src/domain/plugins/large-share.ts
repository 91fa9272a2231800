/** From which share of the recent requests on what would be stopped is said loudly: a site may be closed by mistake. */
export const LARGE_SHARE = 0.2;

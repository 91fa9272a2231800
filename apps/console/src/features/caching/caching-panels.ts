/** Panels of the Caching tab that an address can lead to, in the order of the links to them. */
export const CACHING_PANELS = ['clear', 'try', 'development', 'prefetch'] as const;
export type CachingPanel = (typeof CACHING_PANELS)[number];

export const isCachingPanel = (value: string | undefined): value is CachingPanel =>
  CACHING_PANELS.some((panel) => panel === value);

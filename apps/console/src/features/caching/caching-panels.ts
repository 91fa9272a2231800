/** Panels of the Caching tab that an address can lead to, in their order on it. */
export const CACHING_PANELS = ['costly', 'try', 'development', 'clear', 'prefetch'] as const;
export type CachingPanel = (typeof CACHING_PANELS)[number];

export const isCachingPanel = (value: string | undefined): value is CachingPanel =>
  CACHING_PANELS.some((panel) => panel === value);

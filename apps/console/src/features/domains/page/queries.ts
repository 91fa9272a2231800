import { queryOptions } from '@tanstack/react-query';
import type { DomainPageParts } from './domain-page-parts';

const pageKeys = {
  pauseBanner: () => ['domain-page', 'pause-banner'] as const,
};

/** The banner of a pause, loaded once. */
export const pauseBannerOptions = ({ loadPauseBanner }: DomainPageParts) =>
  queryOptions({
    queryKey: pageKeys.pauseBanner(),
    queryFn: loadPauseBanner,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

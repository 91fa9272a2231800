import type { Route, VersionSummary } from '@cordon/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useWho } from '../../../app/who';
import { allVersionsOptions } from '../../../domain/data/queries';
import { useFormat } from '../../../ui/format';
import type { SelectOption } from '../../../ui/select';

/** A side of a comparison: the draft, or a version by its number as text. */
export type Side = 'draft' | `${number}`;

export const sideOf = (version: number): Side => `${version}`;
export const versionOf = (side: Side): number | undefined => (side === 'draft' ? undefined : Number(side));

/** What a version is compared with first: what is live, else the draft. */
export const otherSide = (liveVersion: number | null, version: number): Side =>
  liveVersion !== null && liveVersion !== version ? sideOf(liveVersion) : 'draft';

/** Every version to choose from, newest first, read a hundred at a time; those already chosen are always among them. */
export function useVersionChoice(route: Route, chosen: readonly Side[]) {
  const t = useTranslations('versions');
  const format = useFormat();
  const who = useWho();
  const pages = useInfiniteQuery(allVersionsOptions(route.id));
  const known = pages.data?.pages.flatMap((page) => page.results) ?? [];
  const count = pages.data?.pages.at(-1)?.count ?? known.length;
  const missing = chosen
    .map(versionOf)
    .filter((version) => version !== undefined && !known.some((one) => one.version === version)) as number[];
  const describe = (one: VersionSummary) =>
    [format.dateTime(one.created_at), one.created_by === null ? t('cordon') : who(one.created_by), one.note]
      .filter(Boolean)
      .join(' · ');
  const label = (version: number) => t(version === route.version_live ? 'liveOption' : 'versionOption', { version });
  const options: SelectOption<Side>[] = [
    { value: 'draft', label: t('draft') },
    ...known.map((one) => ({
      value: sideOf(one.version),
      label: label(one.version),
      description: <span className="block max-w-80 wrap-anywhere">{describe(one)}</span>,
    })),
    ...[...new Set(missing)].map((version) => ({ value: sideOf(version), label: label(version) })),
  ];
  return {
    options,
    olderCount: pages.hasNextPage ? count - known.length : 0,
    isLoadingOlder: pages.isFetchingNextPage,
    loadOlder: () => void pages.fetchNextPage(),
  };
}

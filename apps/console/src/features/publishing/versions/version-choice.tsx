import type { Route, VersionSummary } from '@cordon/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useWho } from '../../../app/who';
import { useFormat } from '../../../ui/format';
import type { SelectOption } from '../../../ui/select';
import { newestVersionsOptions } from './queries';

/** A side of a comparison: the draft, or a version by its number as text. */
export type Side = 'draft' | `${number}`;

export const sideOf = (version: number): Side => `${version}`;
export const versionOf = (side: Side): number | undefined => (side === 'draft' ? undefined : Number(side));

type Subject = Pick<Route, 'version_live' | 'pending_changes' | 'status'>;

/**
 * What is compared first: what is live with the draft, or with an earlier version; where nothing waits, what is live with
 * the version before it. Undefined: there is nothing else. `count`: how many versions there are, of which the newest is live.
 */
export function firstSides(
  { version_live: live, pending_changes }: Subject,
  row: number | 'draft',
  count: number,
): { from: Side; to: Side } | undefined {
  if (live === null) return undefined;
  if (row !== live) return { from: sideOf(live), to: row === 'draft' ? row : sideOf(row) };
  if (pending_changes > 0) return { from: sideOf(live), to: 'draft' };
  return count > 1 ? { from: sideOf(live - 1), to: sideOf(live) } : undefined;
}

/** What is live already is not brought back: its draft is discarded, or the domain resumed. */
export const canRollBack = (route: Subject, version: number): boolean =>
  version !== route.version_live && route.status !== 'deleting';

/** Every version to choose from, newest first, read a hundred at a time; those already chosen are always among them. */
export function useVersionChoice(route: Route, chosen: readonly Side[]) {
  const t = useTranslations('versions');
  const format = useFormat();
  const who = useWho();
  const queryClient = useQueryClient();
  const [pages, setPages] = useState(1);
  const newest = useQuery(newestVersionsOptions(route.id, pages));
  const loadOlder = useMutation({
    mutationFn: () => queryClient.fetchQuery(newestVersionsOptions(route.id, pages + 1)),
    onSuccess: () => setPages(pages + 1),
  });
  const known = newest.data?.results ?? [];
  const count = newest.data?.count ?? known.length;
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
    olderCount: count - known.length,
    isLoadingOlder: loadOlder.isPending,
    loadOlder: () => loadOlder.mutate(),
  };
}

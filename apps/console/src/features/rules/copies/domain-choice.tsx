import type { RouteSummary } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { routeListOptions } from '../../../domain/data/queries';
import { Button } from '../../../ui/button';
import { Field } from '../../../ui/field';
import { ErrorState, Skeleton } from '../../../ui/states';
import { TextInput } from '../../../ui/text-input';

const SHOWN = 6;

/** One domain of the account, found by a part of its name. */
export function DomainChoice({
  label,
  value,
  without,
  onChange,
}: {
  label: string;
  value: Pick<RouteSummary, 'id' | 'domain_name_unicode'> | undefined;
  /** Id of a domain that is not offered. */
  without: string | undefined;
  onChange: (route: RouteSummary | undefined) => void;
}) {
  const t = useTranslations('copies.choose');
  const [q, setQ] = useState('');
  const asked = useDeferredValue(q.trim());
  const list = useQuery({
    ...routeListOptions({ page: 1, perpage: SHOWN + 1, ...(asked === '' ? {} : { q: asked }) }),
    enabled: value === undefined,
  });
  if (value)
    return (
      <Field label={label}>
        <div className="flex min-h-9 items-center justify-between gap-2 rounded-control border border-line bg-sunken/60 py-1 pr-1 pl-3">
          <span className="min-w-0 font-medium wrap-anywhere" title={value.domain_name_unicode}>
            {value.domain_name_unicode}
          </span>
          <Button size="sm" variant="ghost" onClick={() => onChange(undefined)}>
            {t('change')}
          </Button>
        </div>
      </Field>
    );
  const found = list.data?.results.filter(({ id }) => id !== without).slice(0, SHOWN);
  return (
    <div>
      <Field label={label}>
        <TextInput
          icon={<Search size={16} aria-hidden />}
          type="search"
          value={q}
          onChange={(event) => setQ(event.target.value)}
          placeholder={t('search')}
          autoComplete="off"
        />
      </Field>
      {found ? (
        <ul className="mt-1.5 overflow-hidden rounded-control border border-line" aria-label={t('found')}>
          {found.map((route) => (
            <li key={route.id} className="border-b border-line last:border-b-0">
              <button
                type="button"
                className="min-h-9 w-full px-3 py-1.5 text-left wrap-anywhere hover:bg-sunken touch:min-h-10"
                onClick={() => onChange(route)}
              >
                {route.domain_name_unicode}
              </button>
            </li>
          ))}
          {found.length === 0 && <li className="px-3 py-2 text-muted">{t('none')}</li>}
        </ul>
      ) : list.isLoadingError ? (
        <ErrorState
          {...describeFailure(list.error)}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
          className="py-4!"
        />
      ) : (
        <Skeleton className="mt-1.5 h-24 w-full" />
      )}
    </div>
  );
}

import type { RouteSelection, RuleSummary } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { LayoutTemplate, Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../app/failure';
import { Badge } from '../../ui/badge';
import { Button, buttonClass } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states';
import { TextInput } from '../../ui/text-input';
import { ruleListOptions, ruleOptions } from './queries';
import { ApplyRule } from './rule-actions';

const SHOWN = 20;

interface ChooseRuleDialogProps {
  selection: RouteSelection;
  /** How many domains. */
  count: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onStarted: (batchId: string) => void;
}

/** Which rule to apply to the domains that are selected in the list; then what changes on each. */
export default function ChooseRuleDialog({ selection, count, open, onOpenChange, onStarted }: ChooseRuleDialogProps) {
  const t = useTranslations('rules.choose');
  const tList = useTranslations('rules.list');
  const tUi = useTranslations('ui');
  const [q, setQ] = useState('');
  const [chosen, setChosen] = useState<RuleSummary>();
  const asked = useDeferredValue(q.trim());
  const { search } = useLocation();
  const list = useQuery(ruleListOptions({ perpage: SHOWN, ...(asked === '' ? {} : { q: asked }) }));
  const rule = useQuery({ ...ruleOptions(chosen?.id ?? ''), enabled: chosen !== undefined });
  if (rule.data)
    return <ApplyRule rule={rule.data} only={selection} open={open} onOpenChange={onOpenChange} onClosed={onStarted} />;
  const found = list.data?.results;
  const failed = list.error ?? rule.error;
  const make = (variant: 'primary' | 'secondary') => (
    <Link
      to="/domain/rules"
      search={{ new: true }}
      state={{ selectedForRule: { selection, count, search } }}
      className={buttonClass(variant)}
    >
      {t('make')}
    </Link>
  );
  const hasNone = found?.length === 0 && asked === '';
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('title')}
      description={t('body')}
      footer={
        <>
          {found && !hasNone && make('secondary')}
          <Button onClick={() => onOpenChange(false)}>{tUi('cancel')}</Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {failed ? (
          <ErrorState {...describeFailure(failed)} onRetry={() => void list.refetch()} className="py-4!" />
        ) : hasNone ? (
          <EmptyState
            icon={<LayoutTemplate size={22} aria-hidden />}
            title={t('none')}
            description={t('noneBody')}
            action={make('primary')}
            className="py-6!"
          />
        ) : (
          <>
            <TextInput
              type="search"
              aria-label={t('search')}
              placeholder={t('search')}
              icon={<Search size={16} aria-hidden />}
              value={q}
              onChange={(event) => setQ(event.target.value)}
              autoComplete="off"
            />
            {found === undefined || chosen ? (
              <Skeleton className="h-32 w-full" />
            ) : (
              <ul className="overflow-hidden rounded-control border border-line" aria-label={t('found')}>
                {found.map((one) => (
                  <li key={one.id} className="border-b border-line last:border-b-0">
                    <button
                      type="button"
                      className="block w-full px-3 py-2 text-left hover:bg-sunken touch:min-h-10"
                      onClick={() => setChosen(one)}
                    >
                      <span className="flex items-center gap-2">
                        <span className="min-w-0 truncate font-medium" title={one.name}>
                          {one.name}
                        </span>
                        {one.lists === 'merge' && <Badge tone="primary">{tList('merges')}</Badge>}
                      </span>
                      <span className="block truncate text-sm text-muted" title={one.description}>
                        {one.description || t('applied', { count: one.domains })}
                      </span>
                    </button>
                  </li>
                ))}
                {found.length === 0 && <li className="px-3 py-2 text-muted">{t('noMatch')}</li>}
              </ul>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

import type { Route, RouteConfig, RouteSummary } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { ChangeView } from '../../../domain/changes/change-view';
import { routeOptions } from '../../../domain/data/queries';
import { Callout } from '../../../domain/form/callout';
import { Button, IconButton } from '../../../ui/button';
import { SegmentedControl } from '../../../ui/choice';
import { Dialog } from '../../../ui/dialog';
import { ErrorState, Skeleton } from '../../../ui/states';
import { materialiseConfig } from '../rule-values';
import { DomainChoice } from './domain-choice';

type Side = Pick<RouteSummary, 'id' | 'domain_name_unicode'>;
type State = 'draft' | 'live';

interface CompareDialogProps {
  route: Side;
  /** The second one, where it is known already. */
  other?: Side | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const configOf = (route: Route, state: State): RouteConfig | undefined => {
  const config = state === 'draft' ? route.draft : route.live;
  return config ? materialiseConfig(config) : undefined;
};

/** In what the settings of two domains differ: what would change on the first to be like the second. */
export default function CompareDialog({ route, other, open, onOpenChange }: CompareDialogProps) {
  const t = useTranslations('copies.compare');
  const tUi = useTranslations('ui');
  const [left, setLeft] = useState<Side | undefined>(route);
  const [right, setRight] = useState<Side | undefined>(other);
  const [state, setState] = useState<State>('draft');
  const a = useQuery({ ...routeOptions(left?.id ?? ''), enabled: left !== undefined });
  const b = useQuery({ ...routeOptions(right?.id ?? ''), enabled: right !== undefined });
  const failed = [a, b].find((query) => query.isError && query.data === undefined);
  const from = a.data && configOf(a.data, state);
  const to = b.data && configOf(b.data, state);
  const notLive = [a.data, b.data].filter((one) => one && state === 'live' && one.live === null);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={t('title')}
      description={t('body')}
      footer={<Button onClick={() => onOpenChange(false)}>{tUi('close')}</Button>}
    >
      <div className="flex flex-col gap-4">
        <div className="grid items-start gap-x-3 gap-y-2 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
          <DomainChoice label={t('first')} value={left} without={right?.id} onChange={setLeft} />
          <IconButton
            label={t('swap')}
            icon={<ArrowLeftRight size={16} aria-hidden />}
            disabled={!left || !right}
            onClick={() => {
              setLeft(right);
              setRight(left);
            }}
            className="sm:mt-6 phone:justify-self-start"
          />
          <DomainChoice label={t('second')} value={right} without={left?.id} onChange={setRight} />
        </div>
        {left && right && (
          <>
            <SegmentedControl
              label={t('state')}
              options={[
                { value: 'draft', label: t('draft') },
                { value: 'live', label: t('live') },
              ]}
              value={state}
              onValueChange={setState}
              className="self-start"
            />
            {failed ? (
              <ErrorState
                {...describeFailure(failed.error)}
                onRetry={() => void failed.refetch()}
                isRetrying={failed.isFetching}
                className="py-4!"
              />
            ) : notLive.length > 0 ? (
              <Callout tone="info">{t('notLive', { name: notLive[0]?.domain_name_unicode ?? '' })}</Callout>
            ) : from && to ? (
              <ChangeView
                before={from}
                after={to}
                about={t('reading', { first: left.domain_name_unicode, second: right.domain_name_unicode })}
              />
            ) : (
              <Skeleton className="h-40 w-full" />
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

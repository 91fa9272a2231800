import type { Route, StatusClass } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useContext } from 'react';
import { useTranslations } from 'use-intl';
import { failureTexts } from '../../app/failure';
import { Button } from '../../ui/button';
import { useFormat } from '../../ui/format';
import { isPhone } from '../../ui/is-phone';
import { joinSentences } from '../../ui/sentences';
import { Link } from '../../ui/text-link';
import { pluginEffectsOptions, trafficOptions } from '../data/queries';
import { entryOf } from '../model/plugin-state';
import { StartedContext } from '../model/started';

/**
 * An area in two numbers: how many of its plugins are live, without those that wait to be started and unless protection is paused,
 * and after a deploy of the draft; how many requests they decided in the last 24 hours.
 */
export function AreaGlance({ route, definitions }: { route: Route; definitions: readonly PluginDefinition[] }) {
  const t = useTranslations('domain.area');
  const tUi = useTranslations('ui');
  const effects = useQuery(pluginEffectsOptions(route.id));
  const isStarted = useContext(StartedContext);
  // Plugins that decide nothing have nothing to be counted.
  if (definitions.every(({ reasons }) => reasons.length === 0)) return null;
  // What is on standby does nothing yet.
  const counted = definitions.filter(({ isStandby }) => !isStandby || isStarted);
  const onIn = (config: Route['live']) => counted.filter((one) => config && entryOf(config, one).enabled).length;
  const on = onIn(route.live);
  const after = onIn(route.draft);
  const isApart = on !== after && isPhone();
  const decided = effects.data
    ?.filter(({ plugin }) => definitions.some(({ name }) => name === plugin))
    .reduce((sum, { requests }) => sum + requests, 0);
  return (
    <span className="tabular ml-auto text-ink phone:order-first phone:w-full">
      {t(route.paused ? 'paused' : on === after ? 'on' : 'onAfter', { on, all: counted.length, after })}
      {/* A phone has room for one of them, and the number of each on its row. */}
      {decided !== undefined && !isApart && ` · ${t('decided', { count: decided })}`}
      {/* Here for all rows, whose numbers are missing then. */}
      {effects.isLoadingError && (
        <>
          {' · '}
          <span role="status" className="text-danger">
            {joinSentences(failureTexts(effects.error))}
          </span>{' '}
          <Button size="sm" loading={effects.isFetching} onClick={() => void effects.refetch()}>
            {tUi('retry')}
          </Button>
        </>
      )}
    </span>
  );
}

/** A number, and the way to the requests that it counts. */
function RequestsLink({ id, status, number }: { id: string; status: StatusClass; number: ReactNode }) {
  return (
    <Link to="/domain/list/$id" params={{ id }} search={{ status }} className="reach font-semibold">
      {number}
    </Link>
  );
}

/** How many requests of the last 24 hours visitors got an error for. */
export function ErrorGlance({ route }: { route: Route }) {
  const t = useTranslations('domain.area');
  const format = useFormat();
  const totals = useQuery({ ...trafficOptions(route.id), meta: { isSilent: true } }).data?.totals;
  if (!totals) return null;
  return (
    <span className="tabular ml-auto phone:order-first phone:w-full">
      {t.rich('errors', {
        client: format.number(totals.status_4xx),
        server: format.number(totals.status_5xx),
        requests: totals.requests,
        c: (number) => <RequestsLink id={route.id} status="4xx" number={number} />,
        s: (number) => <RequestsLink id={route.id} status="5xx" number={number} />,
      })}
    </span>
  );
}

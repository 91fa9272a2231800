import type { Route, RouteConfig } from '@cordon/contract';
import { areaOf } from '@cordon/plugins/areas';
import { Check } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useSubscriptions } from '../../../app/subscriptions';
import { DNS_CARD_ID } from '../../../domain/display/dns-record';
import { Button, buttonClass } from '../../../ui/button';
import { Card } from '../../../ui/card';

/** With more names than these one is no newcomer. */
const NEWCOMER_NAMES = 3;

/** Whether a plugin that keeps visitors away was set up and switched on. */
const isProtected = (config: RouteConfig | null): boolean =>
  !!config?.plugins.some(({ name, enabled }) => enabled && ['access', 'protection'].includes(areaOf[name] ?? ''));

const STEPS = ['add', 'deploy', 'point', 'protect'] as const;

/** Which steps of the first domain are done, in their order. */
export function stepsOf(route: Route | undefined): { id: (typeof STEPS)[number]; isDone: boolean }[] {
  const done = {
    add: route !== undefined,
    deploy: !!route?.last_deployed,
    point: route?.ownership.state === 'verified',
    protect: isProtected(route?.draft ?? null),
  };
  return STEPS.map((id) => ({ id, isDone: done[id] }));
}

/** The press of a step that is next. */
function StepAction({ step, route }: { step: (typeof STEPS)[number] } & FirstStepsProps) {
  const t = useTranslations('overview.steps.act');
  if (step === 'add')
    return (
      <a href="#/domain/list?add=true" className={buttonClass('primary', 'sm')}>
        {t('add')}
      </a>
    );
  if (!route) return null;
  if (step === 'protect')
    return (
      <a href={`#/domain/list/${route.id}?tab=protection`} className={buttonClass('secondary', 'sm')}>
        {t('protect')}
      </a>
    );
  if (step === 'point')
    return (
      <Button size="sm" onClick={() => document.getElementById(DNS_CARD_ID)?.scrollIntoView({ behavior: 'smooth' })}>
        {t('point')}
      </Button>
    );
  // Deploy is the main button of the page.
  return null;
}

interface FirstStepsProps {
  /** The first domain; undefined while there is none. */
  route?: Route | undefined;
  /** One below the other, where there is no room beside. */
  isNarrow?: boolean;
}

/** The way from a name to a protected site, for who has few of them; nothing once it is gone. */
export function FirstSteps({ route, isNarrow = false }: FirstStepsProps) {
  const t = useTranslations('overview.steps');
  const { subscriptions } = useSubscriptions();
  const names = subscriptions?.reduce((sum, { usage }) => sum + usage.domains, 0);
  const steps = stepsOf(route);
  const next = steps.find(({ isDone }) => !isDone)?.id;
  if (next === undefined || names === undefined || names > NEWCOMER_NAMES || route?.suspension) return null;
  return (
    <Card flush aria-label={t('label')}>
      <ol className={isNarrow ? 'grid divide-y divide-line text-left' : 'grid sm:grid-cols-2 md:grid-cols-4'}>
        {steps.map(({ id, isDone }, index) => (
          <li
            key={id}
            aria-current={id === next ? 'step' : undefined}
            className="flex min-h-11 items-center gap-3 px-4 py-2 sm:px-5"
          >
            <span
              aria-hidden
              className={
                isDone
                  ? 'grid size-6 shrink-0 place-items-center rounded-full bg-success-soft text-success'
                  : 'grid size-6 shrink-0 place-items-center rounded-full border border-line-strong text-sm text-muted'
              }
            >
              {isDone ? <Check size={14} /> : index + 1}
            </span>
            <span className={isDone ? 'min-w-0 flex-1 text-muted' : 'min-w-0 flex-1 font-medium'}>
              {t(`step.${id}`)}
              {isDone && <span className="sr-only"> {t('done')}</span>}
            </span>
            {id === next && <StepAction step={id} route={route} />}
          </li>
        ))}
      </ol>
    </Card>
  );
}

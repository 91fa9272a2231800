import type { Route } from '@cordon/contract';
import clsx from 'clsx';
import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useSubscriptions } from '../../../app/subscriptions';
import { dnsFinding } from '../../../domain/health/dns-finding';
import { buttonClass } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { isPhone } from '../../../ui/is-phone';
import { textLinkClass } from '../../../ui/text-link-class';
import { isProtected } from './is-protected';

/** With more names than these one is no newcomer. */
const NEWCOMER_NAMES = 3;

const STEPS = ['add', 'deploy', 'point', 'protect'] as const;

interface Step {
  id: (typeof STEPS)[number];
  /** `needless`: nobody did it, and nobody has to. */
  state: 'open' | 'done' | 'needless';
}

/** The nodes have it once the first deploy has succeeded; later ones leave it live while they run. */
const isLive = ({ last_deployed, version_live, operation }: Route) =>
  last_deployed !== null && !(version_live === 1 && operation?.action === 'deploy' && operation.state !== 'successful');

/** How far the first domain is, step by step. */
export function stepsOf(route: Route | undefined): Step[] {
  const done = {
    add: route !== undefined,
    deploy: !!route && isLive(route),
    point: route?.ownership.state === 'verified' && !dnsFinding(route),
    protect: isProtected(route?.live ?? null),
  };
  const isDemo = route?.ownership.method === 'demo';
  return STEPS.map((id) => ({ id, state: id === 'point' && isDemo ? 'needless' : done[id] ? 'done' : 'open' }));
}

/** The step that is shown as the next one; undefined where none are shown. */
export function useNextStep(route: Route | undefined): Step['id'] | undefined {
  const { subscriptions } = useSubscriptions();
  const names = subscriptions?.reduce((sum, { usage }) => sum + usage.domains, 0);
  if (names === undefined || names > NEWCOMER_NAMES || route?.suspension) return undefined;
  return stepsOf(route).find(({ state }) => state === 'open')?.id;
}

/** The press of a step that is next. */
function StepAction({ step, route, isElsewhere }: { step: (typeof STEPS)[number] } & FirstStepsProps) {
  const t = useTranslations('overview.steps.act');
  if (step === 'add')
    return (
      <a href="#/domain/list?add=true" className={buttonClass('primary', 'sm')}>
        {t('add')}
      </a>
    );
  if (!route) return null;
  if (isElsewhere)
    return (
      <a
        href={`#/domain/list/${route.id}${step === 'protect' ? '?tab=protection' : ''}`}
        className={buttonClass('primary', 'sm')}
      >
        {t(step)}
      </a>
    );
  // Deploy is the main button of the page, the health below leads to the record, and protection is a link itself.
  return null;
}

interface StepTextProps extends Step {
  /** On a phone its number, or the sign of what became of it, says enough to who sees it. */
  isShort: boolean;
  /** Text that needs more than a word's room beside the presses, which stand below it then. */
  isLong: boolean;
  children: ReactNode;
}

function StepText({ state, isShort, isLong, children }: StepTextProps) {
  const t = useTranslations('overview.steps');
  return (
    <span className={clsx('min-w-0 flex-1', isLong && 'basis-40', state === 'open' ? 'font-medium' : 'text-muted')}>
      <span className={isShort && isPhone() ? 'sr-only' : undefined}>{children}</span>
      {state === 'done' && <span className="sr-only"> {t('done')}</span>}
      {state === 'needless' && <span className="block text-sm phone:hidden">{t('needless')}</span>}
    </span>
  );
}

interface FirstStepsProps {
  /** The first domain; undefined while there is none. */
  route?: Route | undefined;
  /** One below the other, where there is no room beside. */
  isNarrow?: boolean;
  /** Not on the domain's own page: what stands there is led to. */
  isElsewhere?: boolean;
}

/** The way from a name to a protected site, for who has few of them; nothing once it is gone. */
export function FirstSteps({ route, isNarrow = false, isElsewhere = false }: FirstStepsProps) {
  const t = useTranslations('overview.steps');
  const steps = stepsOf(route);
  // Alone on the screen, each step says what it takes.
  const isExplained = route === undefined;
  const next = useNextStep(route);
  if (next === undefined) return null;
  const isInLine = !isNarrow && !isExplained;
  // The longest step, with its press, and the signs of the others have one line of 390 px.
  const side = isPhone() ? 'px-1' : 'px-2';
  return (
    <Card flush aria-label={t('label')}>
      <ol
        className={
          isNarrow || isExplained
            ? 'grid divide-y divide-line text-left'
            : `flex flex-wrap justify-between py-1 ${side}`
        }
      >
        {steps.map(({ id, state }, index) => (
          <li
            key={id}
            aria-current={id === next ? 'step' : undefined}
            className={clsx('flex min-h-11 items-center gap-2 py-1.5', isInLine ? side : 'px-4')}
          >
            <span
              aria-hidden
              className={
                state === 'done'
                  ? 'grid size-6 shrink-0 place-items-center rounded-full bg-success-soft text-success'
                  : 'grid size-6 shrink-0 place-items-center rounded-full border border-line-strong text-sm text-muted'
              }
            >
              {state === 'done' ? <Check size={14} /> : state === 'needless' ? <Minus size={14} /> : index + 1}
            </span>
            <span className={clsx('flex min-w-0 flex-1 items-center gap-2', isExplained && 'flex-wrap')}>
              <StepText id={id} state={state} isShort={isInLine && id !== next} isLong={isExplained}>
                {route && !isElsewhere && state === 'open' && id === 'protect' ? (
                  <a href={`#/domain/list/${route.id}?tab=protection`} className={`reach ${textLinkClass}`}>
                    {t('step.protect')}
                  </a>
                ) : (
                  // Its press says the same.
                  !(id === next && id === 'protect' && isElsewhere) && t(`step.${id}`)
                )}
                {isExplained && <span className="block text-sm font-normal text-muted">{t(`what.${id}`)}</span>}
              </StepText>
              <span className="flex gap-2 empty:hidden">
                {isExplained && isElsewhere && id === 'add' && (
                  <a href="#/domain/import" className={buttonClass('secondary', 'sm')}>
                    {t('act.import')}
                  </a>
                )}
                {id === next && <StepAction step={id} route={route} isElsewhere={isElsewhere} />}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

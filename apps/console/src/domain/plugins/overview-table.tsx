// biome-ignore-all lint/a11y/noRedundantRoles: rows are flexible lines on a phone, and a changed `display` takes the table's own roles away in some browsers
import type { OverviewValue, OverviewValues } from '@cordon/plugin-kit/overview';
import clsx from 'clsx';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { StatusBadge, type Tone } from '../../ui/badge';
import { ExternalTextLink } from '../../ui/text-link';
import { BeforeAfter } from '../changes/before-after';
import { WarningLine } from './suggestion-list';

const DOTS = '••••••••';

const tones = { live: 'success', pending: 'warning', changed: 'warning', removed: 'warning', off: 'neutral' } as const;
type State = keyof typeof tones;

/** How a value stands; undefined where it is set neither live nor in the draft. */
function stateOf({ live, draft }: OverviewValue, isOff: boolean): State | undefined {
  const next = isOff ? undefined : draft;
  if (live === next) return live === undefined ? (draft === undefined ? undefined : 'off') : 'live';
  if (live === undefined) return 'pending';
  return next === undefined ? 'removed' : 'changed';
}

function ValueText({ value: text, of: { isSecret, isLink } }: { value: string; of: OverviewValue }) {
  const t = useTranslations('domain.plugin.overview');
  if (isSecret)
    return (
      <span title={t('secret')}>
        <span aria-hidden>{DOTS}</span>
        <span className="sr-only">{t('secret')}</span>
      </span>
    );
  if (isLink)
    return (
      <ExternalTextLink href={text} className="wrap-anywhere">
        {text}
      </ExternalTextLink>
    );
  return <code className="font-mono wrap-anywhere">{text}</code>;
}

/** The value that visitors get, and what comes in its place. */
function ValueCell({ value, state }: { value: OverviewValue; state: State | undefined }) {
  const { live, draft, fallback } = value;
  const shown = state === 'pending' || state === 'changed' ? draft : (live ?? draft);
  const after = shown !== undefined && <ValueText value={shown} of={value} />;
  if (state === undefined) return fallback ? <span className="text-muted">{fallback}</span> : null;
  if (state === 'changed' && live !== undefined)
    return <BeforeAfter before={<ValueText value={live} of={value} />} after={after} />;
  if (state === 'pending' && fallback) return <BeforeAfter before={fallback} after={after} />;
  if (state === 'removed' && fallback) return <BeforeAfter before={after} after={fallback} />;
  return <span className={clsx((state === 'removed' || state === 'off') && 'text-muted')}>{after}</span>;
}

const cellClass = 'px-2 py-1.5 sm:first:pl-4 sm:last:pr-4 phone:!p-0';

interface ValueRowProps {
  value: OverviewValue;
  goesTo: string | undefined;
  isOff: boolean;
  /** Any of the rows is set. */
  hasStates: boolean;
}

function ValueRow({ value, goesTo, isOff, hasStates }: ValueRowProps) {
  const t = useTranslations('domain.plugin');
  const { name, hint, fallback, warning } = value;
  const state = stateOf(value, isOff);
  const words: Record<State, string> = {
    live: t('overview.live'),
    pending: t('pending'),
    changed: t('changed'),
    removed: t('overview.removed'),
    off: t('overview.off'),
  };
  const tone: Tone | undefined = state && tones[state];
  return (
    <tr
      role="row"
      className="border-t border-line phone:flex phone:flex-wrap phone:items-center phone:gap-x-3 phone:px-4 phone:py-2"
    >
      <td role="cell" className={clsx(cellClass, 'min-w-0 phone:flex-1')}>
        {fallback === undefined ? (
          <code className="block font-mono font-semibold wrap-anywhere sm:w-64">{name}</code>
        ) : (
          <span className="tabular font-semibold sm:whitespace-nowrap">{name}</span>
        )}
      </td>
      {hint !== undefined && (
        <td role="cell" className={clsx(cellClass, 'text-muted phone:hidden')}>
          {hint}
        </td>
      )}
      <td role="cell" className={clsx(cellClass, state !== undefined && 'phone:order-last phone:basis-full')}>
        <ValueCell value={value} state={state} />
        {warning && <WarningLine text={warning} />}
      </td>
      {goesTo !== undefined && (
        <td role="cell" className={clsx(cellClass, 'whitespace-nowrap text-muted')}>
          {goesTo}
        </td>
      )}
      {hasStates && (
        <td role="cell" className={clsx(cellClass, 'text-right whitespace-nowrap')}>
          {state && tone && <StatusBadge tone={tone}>{words[state]}</StatusBadge>}
        </td>
      )}
    </tr>
  );
}

/** Values of one plugin, and whether they have no effect in the draft, where it is off. */
export interface ShownValues extends OverviewValues {
  readonly plugin: string;
  readonly isOff: boolean;
}

/** What is set in the plugins of an area, one value in a row: what is live, and what a deploy makes of it. */
export function OverviewTable({ shown }: { shown: readonly [ShownValues, ...ShownValues[]] }) {
  const t = useTranslations('domain.plugin.overview');
  const id = useId();
  const [{ label, columns }] = shown;
  const rows = shown.flatMap(({ plugin, goesTo, isOff, rows }) =>
    rows.map((value) => ({ key: `${plugin} ${value.key}`, value, goesTo, isOff })),
  );
  const waiting = rows.filter(({ value, isOff }) => {
    const state = stateOf(value, isOff);
    return state !== undefined && tones[state] === 'warning';
  }).length;
  const count = rows.filter(({ value, isOff }) => stateOf(value, isOff) !== undefined).length;
  const heads = [columns.name, columns.hint, columns.value, columns.goesTo].filter((head) => head !== undefined);
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-card border border-line bg-card">
      <h2 className="flex flex-wrap items-baseline gap-x-3 px-4 py-2.5 font-semibold">
        <span id={id}>{label}</span>
        {count > 0 && <span className="tabular text-sm font-normal text-muted">{t('count', { count })}</span>}
        {waiting > 0 && <span className="tabular text-sm text-warning">{t('waiting', { count: waiting })}</span>}
      </h2>
      <table role="table" aria-labelledby={id} className="w-full text-sm phone:block">
        <thead role="rowgroup" className="phone:hidden">
          <tr role="row" className="border-t border-line text-left text-muted">
            {heads.map((head) => (
              <th key={head} role="columnheader" scope="col" className={clsx(cellClass, 'font-medium')}>
                {head}
              </th>
            ))}
            {count > 0 && (
              <th role="columnheader" scope="col" className={clsx(cellClass, 'text-right font-medium')}>
                {t('state')}
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup" className="phone:block">
          {rows.map(({ key, ...row }) => (
            <ValueRow key={key} {...row} hasStates={count > 0} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

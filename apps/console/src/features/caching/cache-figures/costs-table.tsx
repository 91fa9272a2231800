// biome-ignore-all lint/a11y/noRedundantRoles: rows are flexible lines on a phone, and a changed `display` takes the table's own roles away in some browsers
import type { CostlyPath, Route } from '@cordon/contract';
import clsx from 'clsx';
import type { MouseEvent } from 'react';
import { useTranslations } from 'use-intl';
import type { PluginProposal } from '../../../domain/plugins/plugin-proposal';
import { pluginName, type usePluginWords } from '../../../domain/words/plugin-words';
import { Button } from '../../../ui/button';
import { useFormat } from '../../../ui/format';
import { textLinkClass } from '../../../ui/text-link-class';
import { useCostWords } from './cost-words';
import { cachingIn, listsTypes, remedyOf } from './remedy-of';

interface CostsTableProps {
  route: Route;
  paths: readonly CostlyPath[];
  words: NonNullable<ReturnType<typeof usePluginWords>>;
  onPropose: (proposal: PluginProposal) => void;
  /** Shows what the cache does with a path. */
  onTry: (path: string) => void;
}

interface CostProps extends Omit<CostsTableProps, 'paths'> {
  cost: CostlyPath;
}

const ADVICE = 'min-w-0 flex-1 basis-40 text-muted';

/** What can be done about it: the change with its button, else what its origin would have to send. */
function Remedy({ route, cost, advice, words, onPropose }: Omit<CostProps, 'onTry'> & { advice: string | undefined }) {
  const t = useTranslations('caching.cacheFigures.costly');
  const remedy = remedyOf(route, cost);
  if (typeof remedy === 'string') return <span className={ADVICE}>{t(remedy)}</span>;
  if (remedy === undefined) return <span className={ADVICE}>{advice}</span>;
  const { definition, change, isOn } = remedy;
  const of = words(definition.name);
  const done = of(change.message, change.params);
  const what = isOn ? done : t('turnOn', { plugin: pluginName(of, definition.name), what: done });
  const { field } = change;
  const { path } = cost;
  const label = field && of(`fields.${field}.label`);
  const propose = ({ currentTarget: button }: MouseEvent<HTMLElement>) => {
    const header = button.closest('tr')?.querySelector('th') ?? null;
    onPropose({
      ...{ plugin: definition.name, config: change.config },
      ...(field !== undefined && { open: { field, hint: t('hint', { path, what }) } }),
      // The button goes a moment after the form that it has opened, where that was saved.
      focusAfter: (isSaved) => (isSaved || !button.isConnected ? header : button),
    });
  };
  return (
    <>
      <span className="min-w-0 flex-1 basis-40 wrap-anywhere">{what}</span>
      <Button
        size="sm"
        // Its words are on the line of the others.
        className="-my-1"
        aria-label={label === undefined ? t('keepOf', { path, what }) : t('openOf', { label, path, what })}
        onClick={propose}
      >
        {label ?? t('keep')}
      </Button>
    </>
  );
}

const CELL = 'px-2 py-1.5 align-top sm:first:pl-4 sm:last:pr-4 phone:!p-0';
const NUMBER = clsx(CELL, 'tabular text-right whitespace-nowrap');

/** On a phone a few lines: the path, its numbers, why, and what to do. */
function CostRow({ cost, onTry, ...shared }: CostProps) {
  const t = useTranslations('caching.cacheFigures.costly');
  const format = useFormat();
  const { route } = shared;
  const now = { listsTypes: listsTypes(route.draft), cachingIn: cachingIn(route) };
  const { why, advice } = useCostWords('logged')({ ...cost, ...now });
  const time = format.duration(Math.round(cost.origin_ms / cost.requests));
  return (
    <tr
      role="row"
      className="border-b border-line last:border-b-0 phone:flex phone:flex-wrap phone:gap-x-3 phone:px-4 phone:py-2"
    >
      <th
        role="rowheader"
        scope="row"
        tabIndex={-1}
        className={clsx(CELL, 'text-left font-mono font-medium wrap-anywhere phone:basis-full')}
      >
        <span className="block min-w-40">{cost.path}</span>
      </th>
      <td role="cell" className={NUMBER}>
        {format.compact(cost.requests)}
        <span className="text-muted sm:hidden"> {t('requestsWord', { count: cost.requests })}</span>
      </td>
      <td role="cell" className={NUMBER}>
        {format.bytes(cost.bytes)}
      </td>
      <td role="cell" className={NUMBER}>
        <span className="phone:hidden">{time}</span>
        <span className="text-muted sm:hidden">{t('perRequest', { time })}</span>
      </td>
      <td role="cell" className={clsx(CELL, 'phone:basis-full')}>
        {why}
      </td>
      <td role="cell" className={clsx(CELL, 'phone:basis-full')}>
        <span className="flex flex-wrap items-baseline gap-x-3 gap-y-2">
          <Remedy {...shared} cost={cost} advice={advice} />
          <button
            type="button"
            className={clsx(textLinkClass, 'reach text-sm whitespace-nowrap')}
            aria-label={t('tryOf', { path: cost.path })}
            onClick={() => onTry(cost.path)}
          >
            {t('try')}
          </button>
        </span>
      </td>
    </tr>
  );
}

/** Paths that cost the origin, most first. */
export function CostsTable({ paths, ...shared }: CostsTableProps) {
  const t = useTranslations('caching.cacheFigures.costly');
  const head = (label: string, className: string) => (
    <th key={label} role="columnheader" scope="col" className={clsx(className, 'font-normal')}>
      {label}
    </th>
  );
  return (
    <table role="table" aria-label={t('title')} className="w-full text-sm phone:block">
      <thead role="rowgroup" className="text-left text-muted phone:hidden">
        <tr role="row" className="border-b border-line">
          {head(t('path'), CELL)}
          {(['requests', 'bytes', 'time'] as const).map((id) => head(t(id), NUMBER))}
          {(['why', 'act'] as const).map((id) => head(t(id), CELL))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="phone:block">
        {paths.map((cost) => (
          <CostRow key={cost.path} {...shared} cost={cost} />
        ))}
      </tbody>
    </table>
  );
}

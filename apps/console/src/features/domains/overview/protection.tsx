import type { PluginEffect, Route } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { definitions } from '@cordon/plugins/definitions';
import { useContext } from 'react';
import { useTranslations } from 'use-intl';
import { entryOf } from '../../../domain/model/plugin-state';
import { StartedContext } from '../../../domain/model/started';
import { pluginSummary } from '../../../domain/words/plugin-summary';
import { pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { Card } from '../../../ui/card';
import { useFormat } from '../../../ui/format';
import { Skeleton } from '../../../ui/states';

/** Plugins that decide over visitors: those that can say why. */
const DECIDING = definitions.filter(({ reasons }) => reasons.length > 0);

interface ProtectionProps {
  route: Route;
  /** Of the same reading as the numbers beside them, with which they add up; undefined where it could not be read. */
  effects: readonly PluginEffect[] | undefined;
  isPending: boolean;
}

/** What each plugin of the live version did in the last 24 hours, those that are on first; each line leads to its tab. */
export function Protection({ route, effects, isPending }: ProtectionProps) {
  const t = useTranslations('overview.protection');
  const format = useFormat();
  const words = usePluginWords();
  const isStarted = useContext(StartedContext);
  const tPlugin = useTranslations('domain.plugin');
  const lineOf = (definition: PluginDefinition) => ({
    definition,
    entry: entryOf(route.live, definition),
    requests: effects && (effects.find((one) => one.plugin === definition.name)?.requests ?? 0),
  });
  const lines = DECIDING.map(lineOf).sort(
    (a, b) => Number(b.entry.enabled) - Number(a.entry.enabled) || (b.requests ?? 0) - (a.requests ?? 0),
  );
  // What is off stands in one line, unless it did something while it was on.
  const told = lines.filter(({ entry, requests }) => entry.enabled || !!requests);
  const most = Math.max(...told.map(({ requests = 0 }) => requests));
  const off = lines
    .filter((line) => !told.includes(line))
    .map(({ definition: { name } }) => (words ? pluginName(words(name), name) : name));
  return (
    <Card title={t('title')} flush>
      {/* The order goes by the numbers: lines must not change places under the hand. */}
      {words && !isPending ? (
        <ul className="divide-y divide-line border-t border-line">
          {told.map(({ definition, entry, requests }) => (
            <li key={definition.name}>
              <a
                href={`#/domain/list/${route.id}?tab=${definition.area}`}
                className="flex min-h-11 items-center gap-3 px-4 py-1.5 text-ink no-underline hover:bg-sunken"
              >
                <span className="min-w-0 flex-1">
                  <span className="font-medium">{pluginName(words(definition.name), definition.name)}</span>{' '}
                  <span className="text-sm text-muted">
                    {!entry.enabled
                      ? t('off')
                      : isStarted && definition.isStandby
                        ? tPlugin('started')
                        : pluginSummary(words(definition.name), definition, entry.config)}
                  </span>
                </span>
                <span className="tabular font-medium whitespace-nowrap">
                  {requests === undefined ? '–' : format.compact(requests, most)}
                </span>
              </a>
            </li>
          ))}
          {off.length > 0 && (
            <li className="px-4 py-2 text-sm text-muted" title={format.list(off)}>
              {t('allOff', { count: off.length })}
            </li>
          )}
        </ul>
      ) : (
        <Skeleton className="mx-4 mb-4 h-40" />
      )}
    </Card>
  );
}

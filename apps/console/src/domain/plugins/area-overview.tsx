import type { OverviewPages, PluginOverview, PluginOverviewFacts } from '@cordon/plugin-kit/overview';
import { useTranslations } from 'use-intl';
import { OverviewTable } from './overview-table';
import type { PluginConfig } from './plugin-fields';
import { SuggestionGroup } from './suggestion-group';

/** A plugin's overview, and what it is made from. */
export interface OverviewSource {
  readonly plugin: string;
  readonly overview: (facts: PluginOverviewFacts<PluginConfig>) => PluginOverview;
  readonly facts: PluginOverviewFacts<PluginConfig>;
  /** The plan does not include it: nothing can be added. */
  readonly isLocked: boolean;
}

function Pages({ label, hint, pages }: OverviewPages) {
  return (
    <section aria-label={label} className="min-w-0 rounded-card border border-line bg-card px-4 pt-3 pb-4">
      <h2 className="font-semibold">{label}</h2>
      <p className="mt-0.5 text-sm text-muted">{hint}</p>
      <ul className="mt-2 grid gap-3 sm:grid-cols-2">
        {pages.map(({ status, title, text, footer }) => (
          <li key={status} className="min-w-0 rounded-control border border-line text-sm">
            <div className="h-1 rounded-t-card bg-primary" />
            <div className="px-4 py-3">
              <p className="font-semibold">
                <span className="mr-2 font-normal text-muted">{status}</span>
                {title}
              </p>
              <p className="mt-1">{text}</p>
              <p className="mt-2 text-muted">
                {footer}{' '}
                <code className="font-mono" aria-hidden>
                  3f2a9c…
                </code>
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the plugins of an area show together below their cards: what is set first, then what else is worth it. */
export function AreaOverview({ sources }: { sources: readonly OverviewSource[] }) {
  const t = useTranslations('domain.plugin.overview');
  const overviews = sources.map((source) => ({ ...source, ...source.overview(source.facts) }));
  const [first, ...others] = overviews.flatMap(({ plugin, facts, values }) =>
    values && values.rows.length > 0 ? [{ ...values, plugin, isOff: !facts.draft.enabled }] : [],
  );
  const suggested = overviews.flatMap(({ plugin, isLocked, suggestions }) =>
    suggestions && suggestions.items.length > 0 && !isLocked ? [{ ...suggestions, plugin }] : [],
  );
  return (
    <>
      {first && <OverviewTable shown={[first, ...others]} />}
      {suggested.length > 0 && (
        <section className="min-w-0 rounded-card border border-line bg-card px-4 pt-3 pb-3">
          <h2 className="font-semibold">{t('worthAdding')}</h2>
          <div className="mt-2 grid gap-6 sm:grid-cols-2">
            {suggested.map(({ plugin, ...group }) => (
              <SuggestionGroup key={plugin} {...group} />
            ))}
          </div>
        </section>
      )}
      {overviews.map(({ plugin, pages }) => pages && <Pages key={plugin} {...pages} />)}
    </>
  );
}

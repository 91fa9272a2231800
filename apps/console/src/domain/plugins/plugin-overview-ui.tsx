import type { OverviewValue, PluginOverviewUi } from '@cordon/plugin-kit/overview';
import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { StatusBadge, type Tone } from '../../ui/badge';
import { ExternalTextLink } from '../../ui/text-link';
import { BeforeAfter } from '../changes/before-after';
import { SuggestionList, WarningLine } from './suggestion-list';

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

function ValueRow({ value, isOff }: { value: OverviewValue; isOff: boolean }) {
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
    <li className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <span className="min-w-0 flex-1 text-sm sm:w-64 sm:flex-none">
        {fallback === undefined ? (
          <code className="font-mono wrap-anywhere">{name}</code>
        ) : (
          <span className="tabular font-medium">{name}</span>
        )}
        {hint && <span className="block text-muted">{hint}</span>}
      </span>
      <span className="flex justify-end empty:hidden sm:order-last sm:w-40">
        {state && tone && <StatusBadge tone={tone}>{words[state]}</StatusBadge>}
      </span>
      <span className="min-w-0 flex-1 text-sm empty:hidden phone:basis-full">
        <ValueCell value={value} state={state} />
        {warning && <WarningLine text={warning} />}
      </span>
    </li>
  );
}

/** Parts of overviews in the shape that plugins are written against. */
export const pluginOverviewUi: PluginOverviewUi = {
  Values: ({ label, hint, values, isOff }) => (
    <section aria-label={label} className="min-w-0">
      <h3 className="font-semibold">{label}</h3>
      {hint && <p className="mt-0.5 text-sm text-muted">{hint}</p>}
      <ul className="mt-2 divide-y divide-line border-t border-line">
        {values.map((value) => (
          <ValueRow key={value.key} value={value} isOff={isOff} />
        ))}
      </ul>
    </section>
  ),
  Suggestions: (props) => <SuggestionList {...props} inColumns />,
  Pages: ({ label, hint, pages }) => (
    <section aria-label={label} className="min-w-0">
      <h3 className="font-semibold">{label}</h3>
      <p className="mt-0.5 text-sm text-muted">{hint}</p>
      <ul className="mt-2 grid gap-3 sm:grid-cols-2">
        {pages.map(({ status, title, text, footer }) => (
          <li key={status} className="min-w-0 rounded-card border border-line bg-sunken p-4 sm:p-5">
            <div className="mx-auto max-w-md rounded-card border border-line bg-card">
              <div className="h-1 rounded-t-card bg-primary" />
              <div className="p-4 sm:p-5">
                <p className="text-sm text-muted">{status}</p>
                <p className="text-lg font-semibold">{title}</p>
                <p className="mt-1 text-sm">{text}</p>
                <p className="mt-3 flex gap-2 border-t border-line pt-3 text-sm text-muted">
                  {footer}
                  <code className="font-mono" aria-hidden>
                    3f2a9c…
                  </code>
                </p>
              </div>
            </div>
          </li>
        ))}
      </ul>
    </section>
  ),
};

import type { ConfigChange, RouteConfig, UpstreamTarget } from '@cordon/contract';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useSettingValue } from '../words/setting-value';
import { useTargetText } from '../words/use-target-text';
import { BeforeAfter } from './before-after';
import { saysItself, useValueWords } from './value-words';

const ENTRIES_SHOWN = 8;
/** Short entries stand beside each other where there is room. */
const SHORT = /^.{0,16}$/;
const IN_COLUMNS = { columnWidth: '9.25rem' };

function Entry({ kind, children }: { kind: 'added' | 'removed'; children: ReactNode }) {
  const t = useTranslations('domain.changes');
  return (
    <li className="flex items-start gap-2">
      <span
        aria-hidden
        className={
          kind === 'added' ? 'w-3 text-center font-semibold text-success' : 'w-3 text-center font-semibold text-danger'
        }
      >
        {kind === 'added' ? '+' : '−'}
      </span>
      <span className="sr-only">{t(kind)}</span>
      <span className={kind === 'added' ? 'min-w-0 wrap-anywhere' : 'min-w-0 text-muted line-through wrap-anywhere'}>
        {children}
      </span>
    </li>
  );
}

/** How many entries there are where not all of them were sent. */
export interface EntryCounts {
  readonly added: number;
  readonly removed: number;
}

function Entries({
  kind,
  entries,
  isCode = true,
  count = entries.length,
}: {
  kind: 'added' | 'removed';
  entries: readonly string[];
  /** They are not sentences. */
  isCode?: boolean;
  count?: number | undefined;
}) {
  const t = useTranslations('domain.changes');
  const shown = entries.slice(0, ENTRIES_SHOWN);
  const rest = entries.slice(ENTRIES_SHOWN);
  const isCut = count > entries.length;
  return (
    <>
      {shown.map((entry) => (
        <Entry key={entry} kind={kind}>
          {isCode ? <span className="font-mono text-sm">{entry}</span> : entry}
        </Entry>
      ))}
      {rest.length > 0 && (
        <li className="pl-5">
          <details>
            <summary className="reach text-sm text-primary-ink">
              {t(`more_${kind}`, { count: count - shown.length })}
            </summary>
            {/* One text: there may be thousands. */}
            <p
              className={clsx(
                'max-h-60 overflow-y-auto text-sm whitespace-pre-wrap wrap-anywhere',
                isCode && 'font-mono',
                kind === 'removed' && 'text-muted line-through',
              )}
            >
              {[...rest, ...(isCut ? ['…'] : [])].join('\n')}
            </p>
          </details>
        </li>
      )}
    </>
  );
}

/** How many entries came and went, where not all of them are in sight. */
function Totals({ added, removed }: EntryCounts) {
  const t = useTranslations('domain.changes');
  return (
    <p className="flex flex-wrap gap-x-4 font-semibold">
      {added > 0 && <span className="text-success">{t('totalAdded', { count: added })}</span>}
      {removed > 0 && <span className="text-danger">{t('totalRemoved', { count: removed })}</span>}
    </p>
  );
}

/** How many certificates a PEM text holds, and the end of the last: enough to tell two apart. */
function certificatesIn(pem: string): { count: number; end: string } {
  const [...bodies] = pem.matchAll(/-----BEGIN CERTIFICATE-----([^-]*)/g);
  return { count: bodies.length, end: (bodies.at(-1)?.[1] ?? '').replace(/[\s=]/g, '').slice(-8) };
}

/** A value as people say it; what has no words stays as it is written. */
function useValueText() {
  const t = useTranslations('domain');
  const valueWords = useValueWords();
  const settingValue = useSettingValue();
  return (change: ConfigChange, value: unknown): string | undefined => {
    const { plugin, field, change: what } = change;
    const ownText = plugin === undefined ? settingValue(field, value) : undefined;
    if (ownText !== undefined) return ownText;
    if (value === undefined) return undefined;
    if (value === null || value === '') return t('changes.unset');
    if (plugin === undefined && field === 'tls_ca') return t('changes.certificates', certificatesIn(String(value)));
    if (field === 'enabled' && what.kind === 'value' && what.before === undefined) return t('changes.setUpOff');
    if (typeof value === 'boolean') return t(value ? 'changes.on' : 'changes.off');
    if (Array.isArray(value) && value.length === 0) return t('changes.emptyList');
    return valueWords(change, value);
  };
}

/** One setting that differs: a value before and after, or entries that came and went. */
export function ChangeBody({
  change,
  before,
  after,
  counts,
}: {
  change: ConfigChange;
  before: RouteConfig | null;
  after: RouteConfig;
  counts?: EntryCounts | undefined;
}) {
  const valueText = useValueText();
  const valueWords = useValueWords();
  const targetText = useTargetText();
  const { change: what } = change;
  if (what.kind === 'value')
    return (
      <BeforeAfter
        before={valueText(change, what.before)}
        after={valueText(change, what.after) ?? valueText(change, null)}
      />
    );
  if (what.kind === 'list') {
    const say = (entry: unknown) => valueWords(change, entry);
    const isCode = !saysItself(change);
    const removed = what.removed.map(say);
    const added = what.added.map(say);
    const total = { added: counts?.added ?? added.length, removed: counts?.removed ?? removed.length };
    return (
      <>
        {(total.added > ENTRIES_SHOWN || total.removed > ENTRIES_SHOWN) && <Totals {...total} />}
        <ul
          className="space-y-0.5"
          style={[...removed, ...added].every((entry) => SHORT.test(entry)) ? IN_COLUMNS : undefined}
        >
          <Entries kind="removed" entries={removed} isCode={isCode} count={counts?.removed} />
          <Entries kind="added" entries={added} isCode={isCode} count={counts?.added} />
        </ul>
      </>
    );
  }
  const fresh = (target: UpstreamTarget) =>
    targetText(target, after.upstreams.protocol, after.upstreams.targets.length > 1);
  const old = (target: UpstreamTarget) => targetText(target, before?.upstreams.protocol ?? after.upstreams.protocol);
  return (
    <ul className="space-y-0.5">
      <Entries kind="removed" entries={what.removed.map(old)} />
      <Entries kind="added" entries={what.added.map(fresh)} />
      {what.changed.map((one) => (
        <li key={one.after.host} className="pl-5 font-mono text-sm">
          <BeforeAfter before={old(one.before)} after={targetText(one.after, after.upstreams.protocol)} />
        </li>
      ))}
    </ul>
  );
}

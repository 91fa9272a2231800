import type { PluginSuggestion, PluginSuggestionsProps } from '@cordon/plugin-kit/form';
import { Check, Plus, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';

/** What is to be known about a value, below it. */
export function WarningLine({ text }: { text: string }) {
  return (
    <span className="flex items-start gap-1.5 text-warning">
      <TriangleAlert size={14} className="mt-0.5 shrink-0" aria-hidden />
      {text}
    </span>
  );
}

/** What is often set, each taken over with one press. */
export function SuggestionList({ label, hint, disabled, items }: PluginSuggestionsProps) {
  return (
    <section aria-label={label} className="min-w-0">
      <h3 className="font-semibold">{label}</h3>
      <p className="mt-0.5 text-sm text-muted">{hint}</p>
      <ul className="mt-2 divide-y divide-line border-t border-line">
        {items.map((item) => (
          <Suggestion key={item.name} {...item} disabled={disabled} />
        ))}
      </ul>
    </section>
  );
}

function Suggestion({
  name,
  value,
  isValueWords,
  why,
  warning,
  isTaken,
  onTake,
  disabled,
}: PluginSuggestion & { disabled: boolean }) {
  const t = useTranslations('domain.plugin.overview');
  const Icon = isTaken ? Check : Plus;
  return (
    <li className="flex items-start gap-3 py-1.5 text-sm">
      <span className="min-w-0 flex-1">
        <code className="font-mono font-semibold wrap-anywhere">{name}</code>{' '}
        {isValueWords ? value : <code className="font-mono wrap-anywhere">{value}</code>}
        <span className="block text-muted">{why}</span>
        {warning && <WarningLine text={warning} />}
      </span>
      {/* Pressed it stays, for the hand and the focus that are on it. */}
      <Button
        size="sm"
        icon={<Icon size={16} aria-hidden />}
        aria-label={t(isTaken ? 'addedOf' : 'addOf', { name })}
        disabled={disabled}
        aria-disabled={isTaken || undefined}
        onClick={isTaken ? undefined : onTake}
      >
        {t(isTaken ? 'added' : 'add')}
      </Button>
    </li>
  );
}

import { Suspense } from 'react';
import { lazyPart } from '../../ui/lazy-part';
import { Skeleton } from '../../ui/states';
import { RuleList } from './rule-list';
import type { RulesScreenProps } from './rules-search';

const RuleEditor = lazyPart(() => import('./rule-editor'), true);

/** Configuration rules: the list, or the one that is open. */
export function RulesScreen({ search, selected, onApplied, onSearchChange }: RulesScreenProps) {
  if (search.rule === undefined && !search.new) return <RuleList search={search} onSearchChange={onSearchChange} />;
  return (
    <Suspense fallback={<Skeleton className="h-64 w-full" />}>
      <RuleEditor
        key={search.rule ?? `new:${search.from ?? ''}`}
        id={search.rule}
        from={search.from}
        selected={selected}
        onApplied={onApplied}
        onSaved={(id) => onSearchChange({ rule: id }, { replace: true })}
        onGone={() => onSearchChange({})}
      />
    </Suspense>
  );
}

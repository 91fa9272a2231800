import { lazy, Suspense } from 'react';
import { Skeleton } from '../../ui/states';
import { TemplateList } from './rule-list';
import type { TemplatesScreenProps } from './rules-search';

const TemplateEditor = lazy(() => import('./rule-editor'));

/** Configuration templates: the list, or the one that is open. */
export function TemplatesScreen({ search, onSearchChange }: TemplatesScreenProps) {
  if (search.template === undefined && !search.new)
    return <TemplateList search={search} onSearchChange={onSearchChange} />;
  return (
    <Suspense fallback={<Skeleton className="h-64 w-full" />}>
      <TemplateEditor
        key={search.template ?? `new:${search.from ?? ''}`}
        id={search.template}
        from={search.from}
        onSaved={(id) => onSearchChange({ template: id }, { replace: true })}
        onGone={() => onSearchChange({})}
      />
    </Suspense>
  );
}

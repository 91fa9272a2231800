import { isNotFound } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../app/failure';
import { useSubscriptions } from '../../app/subscriptions';
import { routeOptions } from '../../domain/data/queries';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { PageHeader } from '../../ui/page-header';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states';
import { ruleOptions } from './queries';
import { RuleForm } from './rule-form';
import { emptyRule, materialisePlugins, NAME_MAX, valuesOf } from './rule-values';
import type { SelectedForRule } from './selected-domains';

interface EditorProps {
  /** Undefined while it is new. */
  id: string | undefined;
  /** Domain whose settings a new one starts with. */
  from: string | undefined;
  selected?: SelectedForRule | undefined;
  onApplied?: (() => void) | undefined;
  onSaved: (id: string) => void;
  onGone: () => void;
}

function EditorSkeleton() {
  return (
    <div aria-busy>
      <Skeleton className="mb-3 h-4 w-32" />
      <Skeleton className="h-8 w-72 max-w-full" />
      <Skeleton className="mt-6 h-28 w-full" />
      <Skeleton className="mt-5 h-48 w-full" />
    </div>
  );
}

interface LoadFailureProps {
  error: Error;
  onRetry: () => void;
  isRetrying: boolean;
  onGone: () => void;
}

/** What stands in place of a rule that is gone, or that could not be read. */
function LoadFailure({ error, onRetry, isRetrying, onGone }: LoadFailureProps) {
  const t = useTranslations('rules.editor');
  const isGone = isNotFound(error);
  return (
    <>
      <PageHeader title={t(isGone ? 'gone' : 'one')} />
      <Card>
        {isGone ? (
          <EmptyState
            icon={<SearchX size={22} aria-hidden />}
            title={t('goneTitle')}
            description={t('goneBody')}
            action={
              <Button variant="primary" onClick={onGone}>
                {t('toList')}
              </Button>
            }
          />
        ) : (
          <ErrorState {...describeFailure(error)} onRetry={onRetry} isRetrying={isRetrying} />
        )}
      </Card>
    </>
  );
}

/** One rule: its name, what it sets, and once it is saved where it was applied. */
export default function RuleEditor({ id, from, selected, onApplied, onSaved, onGone }: EditorProps) {
  const t = useTranslations('rules.editor');
  const subscription = useSubscriptions().selected;
  const query = useQuery({ ...ruleOptions(id ?? ''), enabled: id !== undefined });
  const source = useQuery({ ...routeOptions(from ?? ''), enabled: id === undefined && from !== undefined });
  const failed = query.error ?? source.error;
  if (failed)
    return (
      <LoadFailure
        error={failed}
        onRetry={() => void (query.error ? query : source).refetch()}
        isRetrying={query.isFetching || source.isFetching}
        onGone={onGone}
      />
    );
  const rule = query.data;
  const route = source.data;
  const cname = rule?.subscription_cname ?? route?.subscription_cname ?? subscription?.cname;
  if ((id !== undefined && !rule) || (from !== undefined && !id && !route) || cname === undefined)
    return <EditorSkeleton />;
  const start = rule
    ? valuesOf(rule)
    : route
      ? {
          name: t('nameFrom', { domain: route.domain_name_unicode }).slice(0, NAME_MAX),
          description: '',
          lists: 'replace' as const,
          plugins: materialisePlugins(route.draft.plugins),
        }
      : emptyRule;
  return (
    <RuleForm
      rule={rule}
      start={start}
      cname={cname}
      selected={selected}
      onApplied={onApplied}
      refetch={async () => (await query.refetch()).data}
      onSaved={onSaved}
      onGone={onGone}
    />
  );
}

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useCreateGroup } from '../../domain/data/group-queries';
import { Callout } from '../../domain/form/callout';
import { useErrorList } from '../../domain/words/error-words';
import { Button } from '../../ui/button';
import { useFormat } from '../../ui/format';
import { findFocusAfterRetry } from '../../ui/lost-focus';
import { joinSentences } from '../../ui/sentences';
import { MISSING_GROUPS_ID } from './problem-lines';

/** Groups that rows name and that there are not: made here, without leaving the rows. */
export function MissingGroups({ names, onCreated }: { names: readonly string[]; onCreated: () => void }) {
  const t = useTranslations('imports');
  const format = useFormat();
  const errorList = useErrorList();
  const { mutateAsync } = useCreateGroup();
  const create = useMutation({
    mutationFn: async () => {
      const failed: { name: string; error: unknown }[] = [];
      // One that cannot be made keeps none of the others away.
      for (const name of names) await mutateAsync(name).catch((error: unknown) => failed.push({ name, error }));
      return failed;
    },
    // Those that were made before one failed are there.
    onSettled: onCreated,
  });
  if (names.length === 0) return null;
  const listOf = (some: readonly string[]) => format.list(some.map((name) => t('quoted', { name })));
  const failed = new Map<string, string[]>();
  for (const { name, error } of create.data ?? []) {
    const reason = joinSentences(errorList(error));
    if (names.includes(name)) failed.set(reason, [...(failed.get(reason) ?? []), name]);
  }
  return (
    <Callout tone="danger" className="mt-4 items-center!">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p id={MISSING_GROUPS_ID}>{t('missingGroups', { count: names.length, names: listOf(names) })}</p>
        <Button
          size="sm"
          loading={create.isPending}
          onClick={(event) => {
            findFocusAfterRetry(event.currentTarget);
            create.mutate();
          }}
        >
          {t('actions.createGroups', { count: names.length })}
        </Button>
      </div>
      {failed.size > 0 && (
        <ul role="alert" className="mt-2 text-sm">
          {[...failed].map(([reason, some]) => (
            <li key={reason}>{t('cell.target', { target: listOf(some), words: reason })}</li>
          ))}
        </ul>
      )}
    </Callout>
  );
}

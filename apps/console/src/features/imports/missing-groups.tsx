import { ApiError } from '@cordon/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useCreateGroup } from '../../domain/data/group-queries';
import { Callout } from '../../domain/form/callout';
import { useErrorList } from '../../domain/words/error-words';
import { Button } from '../../ui/button';
import { useFormat } from '../../ui/format';
import { findFocusAfterRetry } from '../../ui/lost-focus';
import { joinSentences } from '../../ui/sentences';
import { MISSING_GROUPS_ID } from './problem-lines';

/** A column that was taken for the groups may hold a thousand of them. */
const NAMED_MAX = 10;

/** Whether it is the name that is refused: others may still be made. */
const isOfName = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 422 && 'name' in error.fields;

/** Groups that rows name and that there are not: made here, without leaving the rows. */
export function MissingGroups({ names, onCreated }: { names: readonly string[]; onCreated: () => void }) {
  const t = useTranslations('imports');
  const format = useFormat();
  const errorList = useErrorList();
  const { mutateAsync } = useCreateGroup();
  // Who leaves the rows wants no more groups for them.
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  const create = useMutation({
    mutationFn: async () => {
      const failed: { name: string; error: unknown }[] = [];
      for (const [index, name] of names.entries()) {
        if (isLeft.current) break;
        try {
          await mutateAsync(name);
        } catch (error) {
          if (!isOfName(error)) return [...failed, ...names.slice(index).map((one) => ({ name: one, error }))];
          failed.push({ name, error });
        }
      }
      return failed;
    },
    // Those that were made before one failed are there.
    onSettled: onCreated,
  });
  if (names.length === 0) return null;
  const listOf = (some: readonly string[]) =>
    format.list([
      ...some.slice(0, NAMED_MAX).map((name) => t('quoted', { name })),
      ...(some.length > NAMED_MAX ? [t('otherGroups', { count: some.length - NAMED_MAX })] : []),
    ]);
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

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
      let failure: unknown;
      // One that cannot be made keeps none of the others away.
      for (const name of names)
        await mutateAsync(name).catch((error: unknown) => {
          failure ??= error;
        });
      if (failure !== undefined) throw failure;
    },
    // Those that were made before one failed are there.
    onSettled: onCreated,
    meta: { isSilent: true },
  });
  if (names.length === 0) return null;
  return (
    <Callout tone="danger" className="mt-4 items-center!">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p id={MISSING_GROUPS_ID}>
          {t('missingGroups', { count: names.length, names: format.list(names.map((name) => t('quoted', { name }))) })}
        </p>
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
      {create.error && <p role="alert">{joinSentences(errorList(create.error))}</p>}
    </Callout>
  );
}

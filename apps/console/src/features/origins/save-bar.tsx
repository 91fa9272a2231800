import type { ConfigChange, Route } from '@cordon/contract';
import type { ReactNode } from 'react';
import { type FieldErrors, useFormState } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { useAlsoDeployed } from '../../domain/changes/also-deployed';
import { Callout } from '../../domain/form/callout';
import { partErrors } from '../../domain/form/contract-form';
import { SaveButtons } from '../../domain/form/save-buttons';
import { countWrong, ErrorCount } from '../../domain/plugins/error-count';
import { Button } from '../../ui/button';
import { keepFocusAbove } from '../../ui/sticky-bar';

interface SaveBarProps {
  route: Route;
  /** Changes of the draft that are not the form's. */
  waitingElsewhere: readonly ConfigChange[];
  saving: 'draft' | 'deploy' | undefined;
  disabled: boolean;
  /** Why it was not saved, where no field says so. */
  refused: ReactNode;
  /** Saves once more, where that may help. */
  onRetry: (() => void) | undefined;
  /** Waits no longer, where nothing has answered for long. */
  onGiveUp: (() => void) | undefined;
  onSave: (deploy: boolean, note?: string) => void;
  onDiscard: () => void;
}

/** How many fields show an error, counted as the sheets do. */
const countFieldErrors = (errors: FieldErrors): number =>
  countWrong(Object.fromEntries(partErrors(errors).map(([path, { type }]) => [path.replace(/\.root$/, ''), type])));

/** What is to be mended first, what else a deploy takes along, and the buttons, for as long as something typed is not saved. */
export function SaveBar({
  route,
  waitingElsewhere,
  saving,
  disabled,
  refused,
  onRetry,
  onGiveUp,
  onSave,
  onDiscard,
}: SaveBarProps) {
  const tUi = useTranslations('ui');
  const tSave = useTranslations('domain.save');
  const alsoDeployed = useAlsoDeployed();
  const also = alsoDeployed(route, waitingElsewhere);
  const { errors } = useFormState();
  return (
    <div
      ref={keepFocusAbove}
      className="sticky bottom-0 z-10 -mx-4 mt-4 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-page px-4 py-3 sm:-mx-6 sm:px-6 phone:[&>button]:flex-1"
    >
      {onGiveUp && (
        <>
          <p role="status" className="text-sm text-warning">
            {tSave('noAnswer')}
          </p>
          <Button onClick={onGiveUp}>{tUi('cancel')}</Button>
        </>
      )}
      <ErrorCount count={countFieldErrors(errors)} />
      {refused && (
        <Callout
          tone="danger"
          role="alert"
          className="w-full"
          actions={
            onRetry && (
              <Button size="sm" onClick={onRetry}>
                {tUi('retry')}
              </Button>
            )
          }
        >
          {refused}
        </Callout>
      )}
      {also && <p className="mr-auto min-w-0 text-sm text-muted phone:w-full">{also}</p>}
      <Button variant="ghost" onClick={onDiscard}>
        {tSave('discard')}
      </Button>
      <SaveButtons isDirty saving={saving} disabled={disabled} canDeploy={route.suspension === null} onSave={onSave} />
    </div>
  );
}

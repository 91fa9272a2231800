import type { Trace } from '@cordon/contract';
import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { failureTexts } from '../../../app/failure';
import { Callout } from '../../../domain/form/callout';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { Field } from '../../../ui/field';
import { joinSentences } from '../../../ui/sentences';
import { TextInput } from '../../../ui/text-input';
import { endingOf, type LoggedRequest } from './trace-values';

/** Whether the replay ends otherwise than what happened then. */
function differs(logged: LoggedRequest, { answer }: Trace): boolean {
  return answer.kind !== endingOf(logged) || (answer.status !== null && answer.status !== logged.status);
}

export interface LoggedRequestCardProps {
  initialId: string;
  logged: LoggedRequest | null | undefined;
  isLoading: boolean;
  /** Why it could not be looked for. */
  failure: Error | null;
  /** The replay of `logged`. */
  trace: Trace | undefined;
  onFind: (requestId: string) => void;
}

/** "Why was I blocked": fills the request in from the log, by the id on the block page. */
export function LoggedRequestCard({ initialId, logged, isLoading, failure, trace, onFind }: LoggedRequestCardProps) {
  const t = useTranslations('diagnosis.trace');
  const [id, setId] = useState(initialId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (id.trim() !== '') onFind(id.trim());
  };
  return (
    <Card title={t('requestId')}>
      <form onSubmit={submit} noValidate className="flex items-start gap-2">
        <Field
          label={t('requestIdLabel')}
          hideLabel
          className="min-w-0 flex-1"
          hint={t('requestIdHint')}
          error={
            isLoading
              ? undefined
              : failure
                ? joinSentences(failureTexts(failure))
                : logged === null
                  ? t('notFound')
                  : undefined
          }
        >
          <TextInput
            mono
            value={id}
            placeholder={t('requestIdLabel')}
            maxLength={64}
            onChange={(event) => setId(event.target.value)}
            spellCheck={false}
            autoCapitalize="off"
          />
        </Field>
        <Button type="submit" icon={<Search size={16} aria-hidden />} loading={isLoading} disabled={id.trim() === ''}>
          {t('load')}
        </Button>
      </form>
      {logged && trace && differs(logged, trace) && (
        <Callout tone="warning" role="status" className="mt-3">
          {t('loadedDiffers')}
        </Callout>
      )}
    </Card>
  );
}

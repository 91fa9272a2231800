import type { Trace } from '@cordon/contract';
import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Callout } from '../../../domain/form/callout';
import { pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { Field } from '../../../ui/field';
import { useFormat } from '../../../ui/format';
import { TextInput } from '../../../ui/text-input';
import { endingOf, type LoggedRequest } from './trace-values';

/** What happened then, and what the log does not hold. */
function LoggedNote({ logged, trace }: { logged: LoggedRequest; trace: Trace | undefined }) {
  const t = useTranslations('diagnosis.trace');
  const format = useFormat();
  const wordsOf = usePluginWords();
  const words = logged.plugin === '' ? undefined : wordsOf?.(logged.plugin);
  const key = `reasons.${logged.reason}`;
  const plain = t as unknown as { (key: string, params: { name: string }): string; has(key: string): boolean };
  const happened = endingOf(logged);
  const isSame = (answer: Trace['answer']) =>
    answer.kind === happened && (answer.status === null || answer.status === logged.status);
  const isDifferent = trace !== undefined && !isSame(trace.answer);
  return (
    <div className="mt-3 flex flex-col gap-2">
      <Callout tone="info">
        <p>
          {t('loaded', { time: format.dateTime(logged.time), status: logged.status, version: logged.version })}{' '}
          {words &&
            t('loadedVerdict', {
              plugin: pluginName(words, logged.plugin),
              reason: words.has(key) ? words(key) : logged.reason,
            })}
          {!words &&
            happened === 'block' &&
            t('loadedEdge', {
              reason: plain.has(`reason.${logged.reason}`)
                ? plain(`reason.${logged.reason}`, { name: logged.domain_name })
                : logged.reason,
            })}
        </p>
        <p className="mt-1 text-sm">{t('loadedUnseen')}</p>
      </Callout>
      {isDifferent && (
        <Callout tone="warning" role="status">
          {t('loadedDiffers')}
        </Callout>
      )}
    </div>
  );
}

export interface LoggedRequestCardProps {
  initialId: string;
  logged: LoggedRequest | null | undefined;
  isLoading: boolean;
  /** The replay of `logged`. */
  trace: Trace | undefined;
  onFind: (requestId: string) => void;
}

/** "Why was I blocked": fills the request in from the log, by the id on the block page. */
export function LoggedRequestCard({ initialId, logged, isLoading, trace, onFind }: LoggedRequestCardProps) {
  const t = useTranslations('diagnosis.trace');
  const [id, setId] = useState(initialId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (id.trim() !== '') onFind(id.trim());
  };
  return (
    <Card title={t('requestId')}>
      <form onSubmit={submit} noValidate>
        <Field
          label={t('requestIdLabel')}
          hint={t('requestIdHint')}
          error={logged === null && !isLoading ? t('notFound') : undefined}
        >
          <TextInput
            mono
            value={id}
            maxLength={64}
            onChange={(event) => setId(event.target.value)}
            spellCheck={false}
            autoCapitalize="off"
          />
        </Field>
        <Button
          type="submit"
          size="sm"
          className="mt-2"
          icon={<Search size={16} aria-hidden />}
          loading={isLoading}
          disabled={id.trim() === ''}
        >
          {t('load')}
        </Button>
      </form>
      {logged && <LoggedNote logged={logged} trace={trace} />}
    </Card>
  );
}

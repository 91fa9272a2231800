import { ApiError, TLS_CA_CHARACTERS_MAX } from '@cordon/contract';
import { FileUp } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { Field } from '../../ui/field';
import { useFormat } from '../../ui/format';
import { joinSentences } from '../../ui/sentences';
import { Textarea } from '../../ui/text-input';
import { UpgradePrompt } from '../form/upgrade-prompt';
import { useCodeWords, useErrorList, useFieldMessage } from '../words/error-words';
import { useReadCertificates } from './read-certificates';
import type { UpstreamValues } from './upstream-values';

const LOOKS_LIKE_PEM = /-----END CERTIFICATE-----/;

/** CA certificates that the origin is verified by: pasted or from a file, and read at once so that a wrong one is seen. */
export function TlsCaField({ disabled }: { disabled?: boolean | undefined }) {
  const t = useTranslations('upstreams.tlsCa');
  const message = useFieldMessage();
  const words = useCodeWords();
  const errorList = useErrorList();
  const format = useFormat();
  const form = useFormContext<UpstreamValues>();
  const file = useRef<HTMLInputElement>(null);
  const { field } = useController({ control: form.control, name: 'upstreams.tls_ca' });
  const pem = field.value ?? '';
  const read = useReadCertificates();
  const { mutate, reset } = read;
  const isReadable = LOOKS_LIKE_PEM.test(pem) && pem.length <= TLS_CA_CHARACTERS_MAX;
  useEffect(() => {
    if (!isReadable) return reset();
    // Typed and pasted alike: once it stands still.
    const timer = window.setTimeout(() => mutate(pem), 300);
    return () => window.clearTimeout(timer);
  }, [pem, isReadable, mutate, reset]);

  const set = (text: string) =>
    form.setValue('upstreams.tls_ca', text === '' ? null : text, { shouldDirty: true, shouldValidate: true });
  const code = read.error instanceof ApiError ? read.error.fields.pem : undefined;
  const params = read.error instanceof ApiError ? read.error.body?.params?.pem : undefined;
  const refusal = form.formState.errors.upstreams?.tls_ca;
  const problem = code ? words(code, params) : read.error ? joinSentences(errorList(read.error)) : undefined;
  return (
    <div className="flex flex-col gap-3">
      <Field label={t('label')} hint={t('hint')} required error={message(refusal) ?? problem}>
        <Textarea
          ref={field.ref}
          mono
          rows={6}
          value={pem}
          placeholder={'-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----'}
          spellCheck={false}
          autoComplete="off"
          disabled={disabled}
          onChange={(event) => set(event.target.value)}
        />
      </Field>
      {refusal?.type === 'TLS_CA_LIMIT' && <UpgradePrompt reason="TLS_CA_LIMIT" />}
      <div>
        <input
          ref={file}
          type="file"
          accept=".pem,.crt,.cer,.txt"
          className="sr-only"
          tabIndex={-1}
          aria-label={t('file')}
          onChange={(event) => {
            const [chosen] = event.target.files ?? [];
            void chosen?.text().then((text) => set(text.slice(0, TLS_CA_CHARACTERS_MAX + 1)));
            event.target.value = '';
          }}
        />
        <Button
          size="sm"
          icon={<FileUp size={16} aria-hidden />}
          disabled={disabled}
          onClick={() => file.current?.click()}
        >
          {t('file')}
        </Button>
      </div>
      {read.data && (
        <ul className="flex flex-col gap-2" aria-label={t('found')}>
          {read.data.map((one) => (
            <li key={one.fingerprint_sha256} className="rounded-control border border-line bg-page/60 px-3 py-2">
              <p className="font-medium wrap-anywhere">{one.subject}</p>
              <p className="text-sm text-muted">
                {t(one.is_ca ? 'isCa' : 'isServer')} · {t('until', { date: format.date(one.expires_at) })}
              </p>
              <p className="font-mono text-xs text-muted wrap-anywhere">SHA-256 {one.fingerprint_sha256}</p>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

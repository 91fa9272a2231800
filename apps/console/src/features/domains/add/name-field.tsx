import { isWildcardName, parseDomainName } from '@cordon/contract';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { hostOfUrl } from '../../../domain/model/host-of-url';
import { useCodeWords, useFieldMessage } from '../../../domain/words/error-words';
import { Button } from '../../../ui/button';
import { Field } from '../../../ui/field';
import { TextInput } from '../../../ui/text-input';
import type { AddDomainValues } from './add-domain-values';

/** Codes that only mean "not finished yet" while the name is typed. */
const UNFINISHED: readonly string[] = [
  'REQUIRED',
  'DOMAIN_NAME_NEEDS_DOT',
  'DOMAIN_NAME_TRAILING_DOT',
  'DOMAIN_LABEL_HYPHEN',
];

/** The name, checked as it is typed by the contract's own parser; says what the name will cover. */
export function NameField() {
  const t = useTranslations('domain.add.name');
  const message = useFieldMessage();
  const words = useCodeWords();
  const form = useFormContext<AddDomainValues>();
  const typed = useWatch({ control: form.control, name: 'domain_name' });
  const [wasLeft, setLeft] = useState(false);
  const read = parseDomainName(typed);
  const given = form.formState.errors.domain_name;
  const isUnfinished = !read.ok && UNFINISHED.includes(read.code);
  const error = given
    ? message(given)
    : !read.ok && typed !== '' && (wasLeft || !isUnfinished)
      ? words(read.code)
      : undefined;
  const host = hostOfUrl(typed);

  function teach(): string {
    if (!read.ok) return t('teach');
    if (isWildcardName(read.name)) return t('wildcard', { name: read.name.slice(2) });
    if (read.name !== typed.trim().toLowerCase()) return t('idn', { ascii: read.name });
    if (read.name.split('.').length === 2) return t('apex', { name: read.name });
    return t('single', { name: read.name });
  }
  return (
    <div>
      <Field
        label={t('label')}
        required
        error={error}
        hint={
          // What a name covers is none of its business while it is refused.
          !(read.ok && error) && (
            <span className="flex items-start gap-1.5" aria-live="polite">
              {read.ok && <CircleCheck size={14} className="mt-0.5 shrink-0 text-success" aria-hidden />}
              <span className="min-w-0 wrap-anywhere">{teach()}</span>
            </span>
          )
        }
      >
        <TextInput
          {...form.register('domain_name', { onBlur: () => setLeft(true) })}
          mono
          placeholder="www.example.com"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          inputMode="url"
        />
      </Field>
      {host && (
        <Button size="sm" className="mt-2" onClick={() => form.setValue('domain_name', host, { shouldDirty: true })}>
          {t('useHost', { host })}
        </Button>
      )}
    </div>
  );
}

import { isWildcardName, parseDomainName } from '@cordon/contract';
import { CircleCheck } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { hostOfUrl } from '../../../domain/model/host-of-url';
import { useCodeWords, useFieldMessage } from '../../../domain/words/error-words';
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

/** Input of the name. A URL that is typed or pasted gives its host, and the field says so. */
function useNameInput(onLeft: () => void) {
  const form = useFormContext<AddDomainValues>();
  const [isFromUrl, setFromUrl] = useState(false);

  function takeApart(text: string): boolean {
    const host = hostOfUrl(text);
    if (host === undefined) return false;
    form.setValue('domain_name', host, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
    form.clearErrors('domain_name');
    setFromUrl(true);
    return true;
  }
  const input = {
    ...form.register('domain_name', {
      onBlur(event: { target: HTMLInputElement }) {
        takeApart(event.target.value);
        onLeft();
      },
      onChange: () => setFromUrl(false),
    }),
    onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
      // Before the form is sent: the field keeps the focus.
      if (event.key === 'Enter' && !event.nativeEvent.isComposing) takeApart(event.currentTarget.value);
    },
    onPaste(event: ClipboardEvent<HTMLInputElement>) {
      const { value, selectionStart, selectionEnd } = event.currentTarget;
      const isWhole = value.trim() === '' || (selectionStart === 0 && selectionEnd === value.length);
      if (isWhole && takeApart(event.clipboardData.getData('text'))) event.preventDefault();
    },
  };
  return { input, isFromUrl };
}

/** The name, checked as it is typed by the contract's own parser; says what the name will cover. */
export function NameField() {
  const t = useTranslations('domain.add.name');
  const message = useFieldMessage();
  const words = useCodeWords();
  const form = useFormContext<AddDomainValues>();
  const typed = useWatch({ control: form.control, name: 'domain_name' });
  const [wasLeft, setLeft] = useState(false);
  const { input, isFromUrl } = useNameInput(() => setLeft(true));
  // Of a URL that is typed the same is said as once it is taken apart: what moved as the field is left would take the press with it.
  const host = hostOfUrl(typed);
  const read = parseDomainName(host ?? typed);
  const given = form.formState.errors.domain_name;
  const isUnfinished = !read.ok && UNFINISHED.includes(read.code);
  const error = given
    ? message(given)
    : !read.ok && typed !== '' && (wasLeft || !isUnfinished)
      ? words(read.code)
      : undefined;

  function teach(): string {
    if (!read.ok) return t('teach');
    if (isWildcardName(read.name)) return t('wildcard', { name: read.name.slice(2) });
    if (read.name !== (host ?? typed).trim().toLowerCase()) return t('idn', { ascii: read.name });
    if (read.name.split('.').length === 2) return t('apex', { name: read.name });
    return t('single', { name: read.name });
  }
  return (
    <Field
      label={t('label')}
      required
      error={error}
      hint={
        // What a name covers is none of its business while it is refused.
        !(read.ok && error) && (
          // Two lines have their room, whichever it says: the sheet would move under the finger.
          <span className="flex min-h-9 items-start gap-1.5" aria-live="polite">
            {read.ok && <CircleCheck size={14} className="mt-0.5 shrink-0 text-success" aria-hidden />}
            <span className="min-w-0 wrap-anywhere">
              {isFromUrl || host !== undefined ? t('fromUrl', { teach: teach() }) : teach()}
            </span>
          </span>
        )
      }
    >
      <TextInput
        {...input}
        mono
        placeholder="www.example.com"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        inputMode="url"
      />
    </Field>
  );
}

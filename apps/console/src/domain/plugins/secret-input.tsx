import type { PluginFormUi } from '@cordon/plugin-kit/form';
import { isSecretHandle } from '@cordon/plugin-kit/secret-handle';
import { type ComponentProps, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { Field } from '../../ui/field';
import { TextInput } from '../../ui/text-input';

const SECRET_BYTES = 32;

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A secret: one that is stored is only said to be there, and is replaced by one that is entered or made here. */
export default function SecretInput(props: ComponentProps<PluginFormUi['Secret']>) {
  const { label, hint, error, value = '', required, onChange, disabled } = props;
  const t = useTranslations('domain.plugin.secret');
  const input = useRef<HTMLInputElement>(null);
  const stored = useRef<string | undefined>(undefined);
  const isSet = isSecretHandle(value);
  if (isSet) stored.current = value;
  const kept = stored.current;
  const change = (secret: string) => {
    onChange(secret);
    // The field is drawn with the next value.
    requestAnimationFrame(() => input.current?.focus());
  };
  return (
    <Field label={label} hint={!isSet && value !== '' ? t('once') : hint} error={error} required={required}>
      <TextInput
        ref={input}
        value={isSet ? t('set') : value}
        readOnly={isSet}
        onChange={(event) => onChange(event.target.value)}
        disabled={disabled}
        mono={!isSet}
        placeholder={t('placeholder')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <div className="flex flex-wrap items-center gap-1.5">
        {isSet ? (
          <Button size="sm" disabled={disabled} onClick={() => change('')}>
            {t('replace')}
          </Button>
        ) : (
          <Button size="sm" disabled={disabled} onClick={() => change(newSecret())}>
            {t('generate')}
          </Button>
        )}
        {!isSet && value !== '' && <CopyButton value={value} label={t('copy')} copiedLabel={t('copied')} />}
        {!isSet && kept !== undefined && (
          <Button size="sm" variant="ghost" disabled={disabled} onClick={() => change(kept)}>
            {t('keep')}
          </Button>
        )}
      </div>
    </Field>
  );
}

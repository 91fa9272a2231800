import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../ui/button';
import { TextInput } from '../../ui/text-input';

/** A password that can be looked at, with a word when Caps Lock is on. */
export function PasswordInput(props: ComponentProps<typeof TextInput>) {
  const t = useTranslations('identity');
  const [isShown, setShown] = useState(false);
  const [hasCapsLock, setCapsLock] = useState(false);
  return (
    <>
      <TextInput
        {...props}
        type={isShown ? 'text' : 'password'}
        autoCapitalize="off"
        spellCheck={false}
        onKeyUp={(event) => setCapsLock(event.getModifierState('CapsLock'))}
        suffix={
          <IconButton
            size="sm"
            label={t(isShown ? 'hidePassword' : 'showPassword')}
            icon={isShown ? <EyeOff size={16} /> : <Eye size={16} />}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          />
        }
      />
      {hasCapsLock && (
        <p role="status" className="text-sm text-warning">
          {t('capsLock')}
        </p>
      )}
    </>
  );
}

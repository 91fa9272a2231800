import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { IconButton } from './button';
import { TextInput } from './text-input';

interface PasswordInputProps extends ComponentProps<typeof TextInput> {
  words: { show: string; capsLock: string };
}

/** A password that can be looked at, with a word when Caps Lock is on. */
export function PasswordInput({ words, ...props }: PasswordInputProps) {
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
            label={words.show}
            icon={isShown ? <EyeOff size={16} /> : <Eye size={16} />}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          />
        }
      />
      {hasCapsLock && (
        <p role="status" className="text-sm text-warning">
          {words.capsLock}
        </p>
      )}
    </>
  );
}

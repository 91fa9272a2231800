import type { ComponentProps } from 'react';
import { Textarea } from '../../ui/text-input';

type LinesTextareaProps = Pick<
  ComponentProps<typeof Textarea>,
  'rows' | 'value' | 'placeholder' | 'disabled' | 'onBlur'
> & {
  onTextChange: (text: string) => void;
};

/** URLs, prefixes or tags, one per line; Ctrl or Cmd and Enter submit their form. */
export function LinesTextarea({ onTextChange, ...props }: LinesTextareaProps) {
  return (
    <Textarea
      mono
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      {...props}
      onChange={(event) => onTextChange(event.target.value)}
      onKeyDown={({ key, metaKey, ctrlKey, currentTarget }) => {
        if (key === 'Enter' && (metaKey || ctrlKey)) currentTarget.form?.requestSubmit();
      }}
    />
  );
}

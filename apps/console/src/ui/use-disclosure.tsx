import { type ReactNode, useState } from 'react';
import { Button } from './button';

/** What a button says that shows something, or hides it again; `of` names it beside others of its kind. */
export interface DisclosureWords {
  readonly text: string;
  readonly of: string;
}

/** Whether something is shown below a line, and the button that shows and hides it. */
export function useDisclosure(wordsOf: (isOpen: boolean) => DisclosureWords): {
  readonly isOpen: boolean;
  readonly button: ReactNode;
} {
  const [isOpen, setOpen] = useState(false);
  const { text, of } = wordsOf(isOpen);
  return {
    isOpen,
    button: (
      <Button size="sm" variant="ghost" aria-expanded={isOpen} aria-label={of} onClick={() => setOpen(!isOpen)}>
        {text}
      </Button>
    ),
  };
}

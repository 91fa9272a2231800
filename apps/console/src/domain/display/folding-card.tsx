import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Card } from '../../ui/card';
import { isPhone } from '../../ui/is-phone';

interface FoldingCardProps {
  title: string;
  /** Right of the title, folded or not. */
  aside?: ReactNode;
  /** On phones too, from the start. */
  isOpen?: boolean;
  children: ReactNode;
}

/** A card of what is looked up seldom: on phones it is one line until it is pressed. */
export function FoldingCard({ title, aside, isOpen = false, children }: FoldingCardProps) {
  // What is typed in it outlasts the turn of a phone.
  const [isFolding] = useState(isPhone);
  if (!isFolding)
    return (
      <Card title={title} actions={aside} flush>
        {children}
      </Card>
    );
  return (
    <Card flush aria-label={title}>
      <details className="group" open={isOpen}>
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3 px-4 py-2.5">
          <h2 className="min-w-0 flex-1 font-semibold">{title}</h2>
          {aside}
          <ChevronDown size={16} aria-hidden className="text-muted transition-transform group-open:rotate-180" />
        </summary>
        {children}
      </details>
    </Card>
  );
}

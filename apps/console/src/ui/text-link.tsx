import { createLink } from '@tanstack/react-router';
import clsx from 'clsx';
import { ExternalLink } from 'lucide-react';
import type { ComponentProps } from 'react';
import { textLinkClass } from './text-link-class';

/** A link to another site: opens a new tab without handing over `window.opener`. */
export function ExternalTextLink({ children, className, ...rest }: ComponentProps<'a'>) {
  return (
    <a {...rest} target="_blank" rel="noopener noreferrer" className={clsx(textLinkClass, className)}>
      {children}
      <ExternalLink size={12} className="ml-1 inline-block align-[-1px]" aria-hidden />
    </a>
  );
}

function PlainAnchor({ className, ...rest }: ComponentProps<'a'>) {
  return <a {...rest} className={clsx(textLinkClass, className)} />;
}

/** A link inside the console: TanStack Router's `Link` in our colours. */
export const Link = createLink(PlainAnchor);

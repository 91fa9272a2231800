import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useIsPhone } from '../../ui/use-media';

/** Two of them are as high as the small chart beside them. */
const LINES = { lineHeight: '0.8125rem' };

interface BesideCourseProps {
  /** At most two short lines. */
  text: ReactNode;
  title?: string | undefined;
  /** Another place than that of the whole card. */
  href?: string | undefined;
  /** The course. */
  children?: ReactNode;
}

/**
 * Another number beside the course of one: a card of its own would come only with the data, and move what is below. On a phone, where
 * there is no course, it is as high as its lines.
 */
export function BesideCourse({ text, title, href, children }: BesideCourseProps) {
  const isPhone = useIsPhone();
  return (
    <div className="flex gap-3">
      <p
        className={clsx('flex min-w-0 shrink-0 items-end text-xs whitespace-nowrap', isPhone ? 'mt-1' : 'mt-2 h-6')}
        style={LINES}
      >
        {href === undefined ? (
          <span title={title} className="text-muted">
            {text}
          </span>
        ) : (
          // Above the link that the whole card is.
          <a href={href} title={title} className="relative text-muted no-underline hover:underline">
            {text}
          </a>
        )}
      </p>
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}

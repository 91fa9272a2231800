import clsx from 'clsx';
import { CircleCheck, CircleHelp, CircleMinus, CircleX, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';

const marks = {
  ok: { Icon: CircleCheck, className: 'text-success' },
  warning: { Icon: TriangleAlert, className: 'text-warning' },
  error: { Icon: CircleX, className: 'text-danger' },
  unknown: { Icon: CircleHelp, className: 'text-muted' },
  // Not well, and no trouble of its own.
  uncounted: { Icon: CircleMinus, className: 'text-muted' },
  off: { Icon: CircleMinus, className: 'text-muted' },
  needless: { Icon: CircleMinus, className: 'text-muted' },
} as const;

/** The state of a check by shape and colour, and by a word for those who see neither. */
export function StateMark({ state, size = 18 }: { state: keyof typeof marks; size?: number }) {
  const t = useTranslations('diagnosis.state');
  const { Icon, className } = marks[state];
  return (
    <span className={clsx('inline-flex shrink-0', className)}>
      <Icon size={size} aria-hidden />
      <span className="sr-only">{t(state)}</span>
    </span>
  );
}

import type { Trace } from '@cordon/contract';
import clsx from 'clsx';
import { ArrowRightFromLine } from 'lucide-react';
import { stepLooks } from './trace-step';

/** How a request ends, by the sign of the step that ends it; only one that reaches the origin goes through. */
export function AnswerSign({ kind, className }: { kind: Trace['answer']['kind']; className: string }) {
  const Sign = kind === 'origin' ? ArrowRightFromLine : stepLooks[kind].Icon;
  return <Sign size={18} className={clsx('shrink-0', className)} aria-hidden />;
}

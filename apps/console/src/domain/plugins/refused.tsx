import type { ApiError } from '@cordon/contract';
import type { ReactNode } from 'react';

/** Of a plugin of the draft that was not sent: the API names it in place of a position. */
const IS_ELSEWHERE = /^plugins\.[a-z]/;

/** Why something was not saved, where no field says so: `lines`, or all of it, where it is about plugins that were not sent. */
export async function refusedBy(error: ApiError, routeId: string, lines: readonly string[]): Promise<ReactNode> {
  const elsewhere =
    error.list.some((entry) => IS_ELSEWHERE.test(entry)) &&
    // Without the part the reason is still said.
    (await import('./refused-elsewhere').catch(() => undefined));
  if (elsewhere) return <elsewhere.default error={error} routeId={routeId} />;
  return lines.length > 0 && lines.map((line) => <p key={line}>{line}</p>);
}

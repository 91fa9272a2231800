import { Fragment } from 'react';

/** Up to this length a part with hyphens or Chinese letters stays in one line. */
const WHOLE_MAX = 24;
const isWhole = (part: string) => part.length <= WHOLE_MAX;
const partsOf = (text: string) => text.split(/(?<=\.)(?=.)|(?=@)/);

/** Where a name of dots may break: after these, and after hyphens of what is too long alone. */
export const breakableParts = (text: string): string[] =>
  partsOf(text).flatMap((part) => (isWhole(part) ? part : part.split(/(?<=-)(?=.)/)));

/** A name or an address of dots and `@`, which breaks there; give its element `wrap-anywhere` for a part that is too long alone. What is copied stays as it is. */
export function DottedText({ text }: { text: string }) {
  return partsOf(text).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity than their order
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {/[-\u2e80-\uffff]/.test(part) && isWhole(part) ? <span className="whitespace-nowrap">{part}</span> : part}
    </Fragment>
  ));
}

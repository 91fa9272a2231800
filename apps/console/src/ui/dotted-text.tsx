import { Fragment } from 'react';

/** A name or an address of dots and `@`, which breaks there; give its element `wrap-anywhere` for a part that is too long alone. What is copied stays as it is. */
export function DottedText({ text }: { text: string }) {
  return text.split(/(?<=\.)(?=.)|(?=@)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity than their order
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

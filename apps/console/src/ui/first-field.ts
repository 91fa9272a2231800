import type { RefObject } from 'react';

/**
 * Where the focus goes when a dialog opens: its first field, not the cross. After a touch the dialog itself, so that
 * no keyboard covers what has just opened.
 */
export function firstField(
  body: RefObject<HTMLElement | null>,
  pick?: (body: HTMLElement) => HTMLElement | null | undefined,
): (openType: string) => HTMLElement | boolean {
  return (openType) => {
    if (openType === 'touch') return body.current?.closest<HTMLElement>('[role=dialog]') ?? true;
    return (
      (body.current && pick?.(body.current)) ??
      body.current?.querySelector<HTMLElement>('input:not([type=hidden],:disabled), textarea, button[role=combobox]') ??
      true
    );
  };
}

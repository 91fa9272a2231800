import type { RefObject } from 'react';

type PickField = (body: HTMLElement) => HTMLElement | null | undefined;

/** The first thing that can be set: of radio buttons the chosen one. */
export function findFirstField(body: HTMLElement | null): HTMLElement | null {
  const first = body?.querySelector<HTMLElement>('input:not([type=hidden],:disabled), textarea, button[role=combobox]');
  return (
    first?.closest('[role=radiogroup]')?.querySelector<HTMLElement>('input:checked:not(:disabled)') ?? first ?? null
  );
}

/**
 * Where the focus goes when a dialog opens: its first field, not the cross. After a touch the dialog itself, so that
 * no keyboard covers what has just opened.
 */
export function firstField(
  body: RefObject<HTMLElement | null>,
  pick?: PickField,
): (openType: string) => HTMLElement | boolean {
  return (openType) => {
    if (openType === 'touch') return body.current?.closest<HTMLElement>('[role=dialog]') ?? true;
    return (body.current && pick?.(body.current)) ?? findFirstField(body.current) ?? true;
  };
}

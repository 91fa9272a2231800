import { type FocusEvent, type KeyboardEvent, type RefObject, useCallback, useEffect, useState } from 'react';

interface RowKeys {
  body: RefObject<HTMLElement | null>;
  /** Of the rows on the screen, in their order. */
  ids: readonly string[];
  /** Enter. */
  onOpen: ((index: number) => void) | undefined;
  /** Space and x. */
  onToggle: ((id: string) => void) | undefined;
}

const stepsOf = (index: number, count: number): Record<string, number> => ({
  ArrowDown: index + 1,
  j: index + 1,
  ArrowUp: index - 1,
  k: index - 1,
  Home: 0,
  End: count - 1,
});

/** Walks the rows of a table by keys: one of them is a tab stop, arrow keys, j and k go on from it. */
export function useRowKeys({ body, ids, onOpen, onToggle }: RowKeys) {
  const [focusId, setFocusId] = useState<string>();
  const stop = focusId !== undefined && ids.includes(focusId) ? focusId : ids[0];
  const focusRow = useCallback(
    (id: string) => {
      setFocusId(id);
      body.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus();
    },
    [body],
  );
  // From anywhere that has no use for keys, j and k begin to walk the rows.
  useEffect(() => {
    function begin(event: globalThis.KeyboardEvent) {
      const isFree = event.target === document.body && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isFree || stop === undefined || !['j', 'k', 'ArrowDown', 'ArrowUp'].includes(event.key)) return;
      event.preventDefault();
      focusRow(stop);
    }
    document.addEventListener('keydown', begin);
    return () => document.removeEventListener('keydown', begin);
  }, [stop, focusRow]);

  function onKeyDown(event: KeyboardEvent) {
    const { row } = (event.target as HTMLElement).dataset;
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const index = ids.indexOf(row);
    const target = ids[stepsOf(index, ids.length)[event.key] ?? -1];
    if (target !== undefined) {
      event.preventDefault();
      focusRow(target);
    } else if (event.key === 'Enter' && index >= 0 && onOpen) {
      event.preventDefault();
      onOpen(index);
    } else if ((event.key === ' ' || event.key === 'x') && index >= 0 && onToggle) {
      event.preventDefault();
      onToggle(row);
    }
  }
  const onFocus = (event: FocusEvent<HTMLElement>) =>
    event.target.dataset.row !== undefined && setFocusId(event.target.dataset.row);
  return { stop, onKeyDown, onFocus };
}

import { useEffect, useId } from 'react';

const dirtyForms = new Set<string>();
let editedField: Element | null = null;

function rememberField({ target }: { target: EventTarget | null }) {
  if (target instanceof Element) editedField = target;
}

function holdPage(event: BeforeUnloadEvent) {
  event.preventDefault();
}

/** Whether any open form holds changes that would be lost. */
export function hasUnsavedChanges(): boolean {
  return dirtyForms.size > 0;
}

/** The field that was changed last in a form that holds changes, for who goes on with it. */
export function lastEditedField(): HTMLElement | undefined {
  return editedField instanceof HTMLElement && editedField.isConnected ? editedField : undefined;
}

/** While `dirty`, leaving the page or the screen asks first (the router asks through `hasUnsavedChanges`). */
export function useUnsavedChanges(dirty: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!dirty) return;
    dirtyForms.add(id);
    // What made it dirty has the focus.
    rememberField({ target: document.activeElement });
    document.addEventListener('input', rememberField);
    window.addEventListener('beforeunload', holdPage);
    return () => {
      dirtyForms.delete(id);
      if (dirtyForms.size > 0) return;
      editedField = null;
      document.removeEventListener('input', rememberField);
      window.removeEventListener('beforeunload', holdPage);
    };
  }, [dirty, id]);
}

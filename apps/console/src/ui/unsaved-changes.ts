import { useEffect, useId } from 'react';

const dirtyForms = new Set<string>();

function holdPage(event: BeforeUnloadEvent) {
  event.preventDefault();
}

/** Whether any open form holds changes that would be lost. */
export function hasUnsavedChanges(): boolean {
  return dirtyForms.size > 0;
}

/** While `dirty`, leaving the page or the screen asks first (the router asks through `hasUnsavedChanges`). */
export function useUnsavedChanges(dirty: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!dirty) return;
    dirtyForms.add(id);
    window.addEventListener('beforeunload', holdPage);
    return () => {
      dirtyForms.delete(id);
      if (dirtyForms.size === 0) window.removeEventListener('beforeunload', holdPage);
    };
  }, [dirty, id]);
}

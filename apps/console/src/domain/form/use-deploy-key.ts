import { useEffect, useRef } from 'react';

/** Ctrl (or ⌘) and Enter press the button that this ref is given, from anywhere in the dialog or on the screen that it ends. */
export function useDeployKey() {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented || event.isComposing)
        return;
      const dialog = (event.target as Element).closest('[role$=dialog]');
      if (!button.current || button.current.closest('[role=dialog]') !== dialog) return;
      event.preventDefault();
      button.current.click();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return button;
}

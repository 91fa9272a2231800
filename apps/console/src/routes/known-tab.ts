import { useEffect } from 'react';

/**
 * A tab that does not exist shows the first one, and the address says so: the first has no word there.
 * @param tab That is shown.
 * @param replace Takes the address's tab away, in place of the page of the history.
 */
export function useKnownTab<Tab extends string>(
  given: unknown,
  tab: Tab,
  first: Tab,
  replace: (how: { search: (before: object) => object; replace: true }) => unknown,
): void {
  const isOther = given !== undefined && (given !== tab || tab === first);
  useEffect(() => {
    if (isOther) replace({ search: (before) => ({ ...before, tab: undefined }), replace: true });
  }, [isOther, replace]);
}

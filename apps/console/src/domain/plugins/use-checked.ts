import { startTransition, useEffect, useState } from 'react';

/** Lists of more entries are looked at once typing rests. */
const SMALL_MAX = 500;
const REST_MS = 250;

const isLarge = (config: Readonly<Record<string, unknown>>): boolean =>
  Object.values(config).some((value) => Array.isArray(value) && value.length > SMALL_MAX);

/**
 * The configuration as it is to be checked: that of each key press, or of a large one what it was when typing last rested,
 * since its check takes longer than a key press may. `checkNow` is for a save, which does not wait.
 */
export function useChecked<Config extends Readonly<Record<string, unknown>>>(config: Config) {
  const [rested, setRested] = useState(config);
  const isLate = isLarge(config);
  if (!isLate && rested !== config) setRested(config);
  useEffect(() => {
    if (!isLate) return;
    const timer = setTimeout(() => startTransition(() => setRested(config)), REST_MS);
    return () => clearTimeout(timer);
  }, [config, isLate]);
  return { checked: isLate ? rested : config, checkNow: setRested };
}

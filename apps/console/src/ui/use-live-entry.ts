import { useEffect, useEffectEvent, useState } from 'react';

const REST_MS = 300;

interface LiveEntryParts {
  /** What is typed counts already while it is. */
  isLive: boolean;
  value: readonly string[];
  onValueChange: (value: string[]) => void;
}

/**
 * A list whose last entry may still be typed: once typing rests, what was typed stands in the value, and not yet among the entries.
 * `settled` are those; `end` is for an entry that is added, whose text stays no more.
 */
export function useLiveEntry({ isLive, value, onValueChange }: LiveEntryParts, text: string) {
  const [proposed, setProposed] = useState<readonly string[]>();
  const isProposed = proposed?.length === value.length && proposed.every((entry, index) => entry === value[index]);
  const settled = isProposed ? value.slice(0, -1) : value;
  const propose = useEffectEvent(() => {
    const entry = text.trim();
    if (entry === '' || settled.includes(entry)) {
      if (isProposed) onValueChange([...settled]);
      return setProposed(undefined);
    }
    const next = [...settled, entry];
    setProposed(next);
    onValueChange(next);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it waits anew with each key press
  useEffect(() => {
    if (!isLive) return;
    const timer = setTimeout(propose, REST_MS);
    return () => clearTimeout(timer);
  }, [isLive, text]);
  return { settled, end: () => setProposed(undefined) };
}

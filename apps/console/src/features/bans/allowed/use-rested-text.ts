import { useEffect, useState } from 'react';

/** Some hundred entries, which are read at each key. */
const LONG_CHARACTERS = 10_000;
const REST_MS = 300;

/**
 * The text, or undefined while a long one is being typed: to read a hundred thousand entries takes some tenths of a second,
 * too long for each key.
 */
export function useRestedText(text: string): string | undefined {
  const [rested, setRested] = useState(text);
  const isLong = text.length > LONG_CHARACTERS;
  useEffect(() => {
    if (!isLong) return;
    const timer = setTimeout(() => setRested(text), REST_MS);
    return () => clearTimeout(timer);
  }, [isLong, text]);
  return !isLong || rested === text ? text : undefined;
}

import { z } from 'zod';

/** Wrong entries of a list after which it is looked at no further. */
const FAULTS_MAX = 100;

function upToFaults(given: unknown, maximum: number, isWrong: (entry: unknown) => boolean): unknown {
  if (!Array.isArray(given) || given.length > maximum) return given;
  let faults = 0;
  const end = given.findIndex((entry) => isWrong(entry) && ++faults === FAULTS_MAX);
  return end < 0 ? given : given.slice(0, end + 1);
}

/**
 * A list of thousands whose check ends at the hundredth wrong entry: reporting each would hold the event loop, and whoever
 * typed them mends a few first. `isWrong` is a quick look at an entry as it came; `list` says the rest, its `max()` too.
 */
export const longList = <List extends z.ZodType>(list: List, maximum: number, isWrong: (entry: unknown) => boolean) =>
  z.preprocess((given) => upToFaults(given, maximum, isWrong), list) as unknown as z.ZodType<
    z.output<List>,
    z.input<List>
  >;

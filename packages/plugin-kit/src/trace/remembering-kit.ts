import type { EdgeKit } from '../edge/context.ts';
import { edgeKit } from '../edge/kit.ts';

function remembered<Key, Value>(make: (key: Key) => Value): (this: void, key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}

/** The kit of one trace: what handlers have prepared of a configuration of thousands of values, its explanation finds as it is. */
export const rememberingKit = (): EdgeKit => ({
  ...edgeKit,
  addressSetAsWritten: remembered(edgeKit.addressSetAsWritten),
  pattern: remembered(edgeKit.pattern),
  byteCount: remembered(edgeKit.byteCount),
  lowerCase: remembered(edgeKit.lowerCase),
});

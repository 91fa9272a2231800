import type { RunContext } from './edge/context.ts';

/** What the edge logs in place of a secret value (`secret-query.ts` of its runner). */
const REDACTED_VALUE = 'REDACTED';

/**
 * The context of a request that the log may have: it keeps no signatures, and one that it left out is taken for good, as it was,
 * or was refused then.
 * @param onTaken Called with each that is.
 */
export const recordedContext = (context: RunContext, onTaken: () => void = () => {}): RunContext => ({
  ...context,
  isSignedBy: (secret, text, signature) => {
    if (signature !== REDACTED_VALUE) return context.isSignedBy(secret, text, signature);
    onTaken();
    return true;
  },
});

import type { MissingField } from '@cordon/contract';
import type { EdgeHandler, RunContext, Verdict } from './edge/context.ts';

/** What the edge logs in place of a secret value, or of a whole query (`secret-query.ts` of its runner). */
export const REDACTED_VALUE = 'REDACTED';

/** Header fields that the access log has, in lower case. */
export const RECORDED_HEADERS: readonly string[] = ['host', 'user-agent', 'referer'];

/** A rule of which it cannot be said whether it holds for a recorded request. */
export interface UnknownRule {
  readonly rule: string;
  /** What it does where it holds. */
  readonly verdict: Exclude<NonNullable<Verdict>['kind'], 'permit'>;
  /** The same for rules that ask for the same and do the same. */
  readonly id: string;
  /** What the log lacks. */
  readonly fields: readonly MissingField[];
}

/** What a handler of recorded requests may use. */
export interface RecordedTools {
  /** Whether autonomous systems of addresses are known. */
  readonly knowsNetworks: boolean;
  /** To be called where a rule is passed over because the log lacks what would tell. */
  readonly leaveUnknown: (rule: UnknownRule) => void;
}

/**
 * `recorded` of a plugin's `recorded.ts`: its handler for requests out of the access log. It passes over rules of which the log lacks
 * what would tell, and says which; all else is as at the edge.
 */
export type Recorded<Config, Prepared> = (tools: RecordedTools) => EdgeHandler<Config, Prepared>;
export type AnyRecorded = (tools: RecordedTools) => EdgeHandler<unknown, unknown>;

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

import { createHmac } from 'node:crypto';
import { formatAddress, parseAddress } from '@cordon/contract';
import type { Db } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import * as repository from './repository.ts';

/** Attempts in a window of so many seconds. */
interface Limit {
  readonly attempts: number;
  readonly windowSeconds: number;
}

export interface AttemptLimitSettings {
  readonly account: Limit;
  readonly address: Limit;
  readonly registration: Limit;
}

const QUARTER_HOUR = 900;
export const ATTEMPT_LIMITS: AttemptLimitSettings = {
  account: { attempts: 10, windowSeconds: QUARTER_HOUR },
  address: { attempts: 60, windowSeconds: QUARTER_HOUR },
  registration: { attempts: 30, windowSeconds: 3600 },
};
const KNOWN_ADDRESS_DAYS = 60;

/** One guess at a password; `succeeded` gives back what it took. */
export interface Attempt {
  succeeded(): Promise<void>;
}

/**
 * Limits guesses by account and by address (IPv6: by /64), kept in the database so that a restart forgives nothing.
 * Counted before the password is looked at: guesses at the same time cannot slip through together. Nothing here knows
 * whether the account exists. An address that the account was signed in from before has its own count: attackers who
 * use up the account's do not lock out its owner.
 */
export interface AttemptLimits {
  /** Throws TOO_MANY_REQUESTS, with the seconds to wait, when the account or the address has no attempt left. */
  begin(email: string, address: string): Promise<Attempt>;
  /** The same for making accounts, by address. */
  beginRegistration(address: string): Promise<void>;
}

const tooMany = (seconds: number): AppError =>
  new AppError('TOO_MANY_REQUESTS', {
    message: `Too many attempts; try again in ${seconds} seconds.`,
    params: { TOO_MANY_REQUESTS: { seconds } },
  });

/** The part of an address that one subscriber holds: an IPv4 address, or the first half of an IPv6 address. */
export function subscriberOf(text: string): string {
  const address = parseAddress(text);
  if (address === undefined) return text;
  if (address.family === 4) return formatAddress(address);
  return formatAddress({ family: 6, words: [...address.words.slice(0, 2), 0, 0] });
}

export function createAttemptLimits(
  db: Db,
  secrets: SecretBox,
  limits: AttemptLimitSettings = ATTEMPT_LIMITS,
): AttemptLimits {
  const secret = secrets.derive('identity/attempts');
  const keyOf = (...parts: string[]): Buffer => createHmac('sha256', secret).update(parts.join('\n')).digest();
  /** Counts an attempt; answers the seconds to wait, 0 while there are attempts left. */
  const count = async (key: Buffer, limit: Limit): Promise<number> => {
    const { attempts, secondsLeft } = await repository.countAttempt(db, key, limit.windowSeconds);
    return attempts > limit.attempts ? Math.max(1, secondsLeft) : 0;
  };
  return {
    async begin(email, address) {
      const subscriber = subscriberOf(address);
      const fromAddress = keyOf('address', subscriber);
      const owned = keyOf('account and address', email, subscriber);
      const account = (await repository.isKnownAddress(db, owned)) ? owned : keyOf('account', email);
      const waitAddress = await count(fromAddress, limits.address);
      // Where the address is locked, the account is not: an attacker would lock out others by it. Its own lock may last longer.
      const waitAccount =
        waitAddress > 0
          ? await repository.secondsLocked(db, account, limits.account.attempts)
          : await count(account, limits.account);
      const wait = Math.max(waitAddress, waitAccount);
      if (wait > 0) throw tooMany(wait);
      return {
        async succeeded() {
          await repository.uncountAttempt(db, fromAddress);
          await repository.forgetAttempts(db, account);
          await repository.rememberAddress(db, owned, KNOWN_ADDRESS_DAYS);
        },
      };
    },
    async beginRegistration(address) {
      const wait = await count(keyOf('registration', subscriberOf(address)), limits.registration);
      if (wait > 0) throw tooMany(wait);
    },
  };
}

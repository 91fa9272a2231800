import { argon2id, hash, needsRehash, verify } from 'argon2';
import { createBoundedLimit } from '../../platform/concurrency-limit.ts';

/** 64 MiB and two passes: twice OWASP's minimum for argon2id, about 0.13 s on one core. */
const PARAMETERS = { type: argon2id, memoryCost: 65_536, timeCost: 2, parallelism: 1 } as const;

/** Hashings at once, and how many may wait. Past that, `PasswordsBusyError`: memory and cores stay for everyone else. */
const CONCURRENCY = 2;
const WAITING_MAX = 100;

export class PasswordsBusyError extends Error {}

export interface Passwords {
  /** argon2id in PHC form. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password fits. Without a stored hash (no such user) it does the same work against a hash of nothing and
   * answers false, so that the time taken reveals nothing.
   */
  verify(stored: string | null, password: string): Promise<boolean>;
  /** Whether a stored hash was made with other parameters than today's. */
  isOutdated(stored: string): boolean;
}

// Both sides of a comparison in one form, however the keyboard composed the characters (NIST SP 800-63B 3.1.1.2).
const normalized = (password: string): string => password.normalize('NFKC');

let decoy: Promise<string> | undefined;
/** What no password fits; one for the process, since it costs as much as a sign-in. */
const decoyHash = (): Promise<string> => {
  decoy ??= hash(crypto.randomUUID(), PARAMETERS);
  return decoy;
};

/** Hashing with bounded concurrency; one per process. */
export function createPasswords(): Passwords {
  const bounded = createBoundedLimit({
    concurrency: CONCURRENCY,
    waitingMax: WAITING_MAX,
    refusal: () => new PasswordsBusyError('too many sign-ins at once'),
  });
  // Made ahead: the first sign-in of an unknown user must not be the one that pays for it.
  void decoyHash();
  return {
    hash: (password) => bounded(() => hash(normalized(password), PARAMETERS)),
    verify: async (stored, password) => {
      const against = stored ?? (await decoyHash());
      const fits = await bounded(() => verify(against, normalized(password)));
      return fits && stored !== null;
    },
    isOutdated: (stored) => needsRehash(stored, PARAMETERS),
  };
}

import type { Locale } from '@cordon/contract';
import { type Db, uniqueViolation } from '../../platform/database.ts';
import { AppError, fieldErrors } from '../../platform/errors.ts';
import type { AccountService } from '../accounts/service.ts';
import type { AttemptLimits } from './attempt-limits.ts';
import { normalizeEmail } from './email.ts';
import { passwordFault } from './password-policy.ts';
import { type Passwords, PasswordsBusyError } from './passwords.ts';
import { removeBySubject } from './provider-repository.ts';
import * as repository from './repository.ts';

export { normalizeEmail } from './email.ts';
export { passwordFault } from './password-policy.ts';
export { createPasswords } from './passwords.ts';

/** What sign-in needs of the accounts module. */
export type Accounts = Pick<AccountService, 'createAccount' | 'updateSignIn'>;

export interface SignInInput {
  readonly email: string;
  readonly password: string;
  readonly address: string;
}

export interface RegistrationInput extends SignInInput {
  readonly name: string;
  readonly locale: Locale;
  readonly time_zone: string;
  readonly terms_version: string;
  readonly brand: { readonly key: string; readonly name: string; readonly terms_version: string };
}

export interface IdentityService {
  /**
   * The person whose e-mail and password these are. Throws `password: CREDENTIALS_WRONG` alike for a wrong password,
   * an unknown address and a disabled user, after the same work; TOO_MANY_REQUESTS; ACCOUNT_SUSPENDED only to who
   * knows the password.
   */
  signIn(input: SignInInput): Promise<repository.Person>;
  /**
   * Makes account, user and free subscription. Answers the person who may go on as signed in, or null where they must
   * sign in first, which is when the address was taken and the password is not its own (docs/adr/0005). Faults of the
   * fields are reported before anything is looked up.
   */
  register(input: RegistrationInput): Promise<repository.Person | null>;
  /** The person behind a `sub`, unless disabled or of a suspended account. */
  findActive(subject: string): Promise<repository.Person | undefined>;
  /** Ends every session of a person at once; access tokens expire within minutes. */
  endSessions(subject: string): Promise<void>;
}

export interface IdentityParts {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly limits: AttemptLimits;
  readonly accounts: Accounts;
}

const wrongCredentials = (): AppError => fieldErrors({ password: 'CREDENTIALS_WRONG' });

const busyAsUnavailable = (error: unknown): never => {
  if (error instanceof PasswordsBusyError) throw new AppError('UNAVAILABLE', { cause: error });
  throw error;
};

export function createIdentityService(parts: IdentityParts): IdentityService {
  const { db, passwords, limits, accounts } = parts;

  /** The person, if password and state allow; undefined where the credentials are wrong. */
  async function check(
    person: repository.Person | undefined,
    password: string,
  ): Promise<repository.Person | undefined> {
    const fits = await passwords.verify(person?.password_hash ?? null, password).catch(busyAsUnavailable);
    if (!fits || person === undefined || person.is_disabled) return undefined;
    if (person.is_suspended) throw new AppError('ACCOUNT_SUSPENDED', { message: 'This account is suspended.' });
    return person;
  }

  async function create(
    input: RegistrationInput,
    email: string,
    passwordHash: string,
  ): Promise<repository.Person | undefined> {
    const { name, locale, brand, time_zone: timeZone, terms_version: termsVersion } = input;
    try {
      await accounts.createAccount({ email, name, locale, timeZone, brand: brand.key, passwordHash, termsVersion });
    } catch (error) {
      // Another registration took the address at the same moment.
      if (uniqueViolation(error) === 'users_email') return undefined;
      throw error;
    }
    return repository.findByEmail(db, email);
  }

  return {
    async signIn({ email: given, password, address }) {
      const email = normalizeEmail(given);
      if (email === null) throw fieldErrors({ email: 'EMAIL_INVALID' });
      const attempt = await limits.begin(email, address);
      const person = await check(await repository.findByEmail(db, email), password);
      if (person === undefined) throw wrongCredentials();
      await attempt.succeeded();
      if (person.password_hash !== null && passwords.isOutdated(person.password_hash))
        await accounts.updateSignIn(person.id, {
          passwordHash: await passwords.hash(password).catch(busyAsUnavailable),
        });
      return person;
    },

    async register(input) {
      const email = normalizeEmail(input.email);
      if (email === null) throw fieldErrors({ email: 'EMAIL_INVALID' });
      const fault = passwordFault(input.password, { email, names: [input.brand.name, input.name] });
      if (fault !== null) throw fieldErrors({ password: fault });
      // The page showed other terms than hold now.
      if (input.terms_version !== input.brand.terms_version) throw fieldErrors({ terms_version: 'TERMS_REQUIRED' });
      await limits.beginRegistration(input.address);
      const attempt = await limits.begin(email, input.address);
      // The same work whether the address is taken or not: one new hash, one comparison.
      const passwordHash = await passwords.hash(input.password).catch(busyAsUnavailable);
      const existing = await repository.findByEmail(db, email);
      let person = await check(existing, input.password);
      if (existing === undefined) person = await create(input, email, passwordHash);
      if (person === undefined) return null;
      await attempt.succeeded();
      return person;
    },

    async findActive(subject) {
      const person = await repository.findBySubject(db, subject);
      return person === undefined || person.is_disabled || person.is_suspended ? undefined : person;
    },

    endSessions: (subject) => removeBySubject(db, subject),
  };
}

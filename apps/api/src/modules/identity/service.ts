import type { AuditAction, Locale, RequestSource } from '@cordon/contract';
import { type Db, uniqueViolation } from '../../platform/database.ts';
import { AppError, fieldErrors } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { type AccountService, auditUser } from '../accounts/service.ts';
import type { AttemptLimits } from './attempt-limits.ts';
import { normalizeEmail } from './email.ts';
import { passwordFault } from './password-policy.ts';
import { type Passwords, PasswordsBusyError } from './passwords.ts';
import { type ProviderStore, removeBySubject, removeOtherSessions } from './provider-repository.ts';
import * as repository from './repository.ts';

export { normalizeEmail } from './email.ts';
export { passwordFault } from './password-policy.ts';
export { createPasswords } from './passwords.ts';

/** What sign-in needs of the accounts module. */
export type Accounts = Pick<AccountService, 'createAccount' | 'updateSignIn' | 'changePasswordHash'>;

export interface SignInInput {
  readonly email: string;
  readonly password: string;
  readonly source: RequestSource;
}

export interface RegistrationInput extends SignInInput {
  readonly name: string;
  readonly locale: Locale;
  readonly time_zone: string;
  readonly terms_version: string;
  readonly brand: { readonly key: string; readonly name: string; readonly terms_version: string };
}

export interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
  /** `sub` and `sid` of the token that asks. */
  readonly subject: string;
  readonly sessionUid: string;
  readonly brandName: string;
  readonly source: RequestSource;
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
  /**
   * Gives a person another password and ends their other sessions. Throws the faults of the new one as `register` does,
   * `current_password: PASSWORD_WRONG`, and TOO_MANY_REQUESTS: guesses count with those of `signIn`.
   */
  changePassword(change: PasswordChange): Promise<void>;
  /** The person behind a `sub`, unless disabled or of a suspended account. */
  findActive(subject: string): Promise<repository.Person | undefined>;
  /** Writes that a person signed out. */
  noteSignOut(subject: string, source: RequestSource | undefined): Promise<void>;
  /** Ends every session of a person at once, and the access tokens of each. */
  endSessions(subject: string): Promise<void>;
}

export interface IdentityParts {
  readonly db: Db;
  readonly secrets: ProviderStore['secrets'];
  readonly passwords: Passwords;
  readonly limits: AttemptLimits;
  readonly accounts: Accounts;
  readonly log: Pick<Log, 'error'>;
}

const wrongCredentials = (): AppError => fieldErrors({ password: 'CREDENTIALS_WRONG' });

const busyAsUnavailable = (error: unknown): never => {
  if (error instanceof PasswordsBusyError) throw new AppError('UNAVAILABLE', { cause: error });
  throw error;
};

export function createIdentityService(parts: IdentityParts): IdentityService {
  const { db, secrets, passwords, limits, accounts, log } = parts;

  const audit = (
    action: AuditAction,
    { id, account_id: accountId, email }: repository.Person,
    source: RequestSource | undefined,
    details?: object,
  ) => auditUser(db, action, { id, accountId, email }, { source, ...(details ? { details } : {}) });

  /** Not waited for: how long a refusal takes must not say whether there is such a user. */
  function auditFailure(person: repository.Person, isPasswordRight: boolean, source: RequestSource): void {
    const cause = !isPasswordRight ? 'wrong_password' : person.is_disabled ? 'disabled' : 'suspended';
    audit('user.sign_in_failed', person, source, { cause }).catch((err) =>
      log.error({ err }, 'a failed sign-in could not be written to the audit log'),
    );
  }

  /** The person, if password and state allow; undefined where the credentials are wrong. */
  async function check(
    person: repository.Person | undefined,
    { password, source }: Pick<SignInInput, 'password' | 'source'>,
  ): Promise<repository.Person | undefined> {
    const fits = await passwords.verify(person?.password_hash ?? null, password).catch(busyAsUnavailable);
    if (person === undefined) return undefined;
    const isAllowed = fits && !person.is_disabled;
    if (!isAllowed || person.is_suspended) auditFailure(person, fits, source);
    if (!isAllowed) return undefined;
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
    async signIn({ email: given, password, source }) {
      const email = normalizeEmail(given);
      if (email === null) throw fieldErrors({ email: 'EMAIL_INVALID' });
      const attempt = await limits.begin(email, source.address);
      const person = await check(await repository.findByEmail(db, email), { password, source });
      if (person === undefined) throw wrongCredentials();
      await attempt.succeeded();
      await audit('user.sign_in', person, source);
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
      await limits.beginRegistration(input.source.address);
      const attempt = await limits.begin(email, input.source.address);
      // The same work whether the address is taken or not: one new hash, one comparison.
      const passwordHash = await passwords.hash(input.password).catch(busyAsUnavailable);
      const existing = await repository.findByEmail(db, email);
      let person = await check(existing, input);
      if (existing === undefined) person = await create(input, email, passwordHash);
      if (person === undefined) return null;
      await attempt.succeeded();
      await audit(existing === undefined ? 'account.create' : 'user.sign_in', person, input.source);
      return person;
    },

    async changePassword({ currentPassword, newPassword, subject, sessionUid, brandName, source }) {
      const person = await repository.findBySubject(db, subject);
      if (person === undefined) throw new AppError('UNAUTHENTICATED');
      const email = person.email.toLowerCase();
      const fault = passwordFault(newPassword, { email, names: [brandName, person.name] });
      if (fault !== null) throw fieldErrors({ new_password: fault });
      const attempt = await limits.begin(email, source.address);
      if (!(await passwords.verify(person.password_hash, currentPassword).catch(busyAsUnavailable)))
        throw fieldErrors({ current_password: 'PASSWORD_WRONG' });
      await attempt.succeeded();
      const hash = await passwords.hash(newPassword).catch(busyAsUnavailable);
      // Another change was quicker: what was given is the password no longer.
      if (!(await accounts.changePasswordHash(person.id, person.password_hash ?? '', hash)))
        throw fieldErrors({ current_password: 'PASSWORD_WRONG' });
      await removeOtherSessions({ db, secrets }, subject, sessionUid);
      await audit('user.password_change', person, source);
    },

    async findActive(subject) {
      const person = await repository.findBySubject(db, subject);
      return person === undefined || person.is_disabled || person.is_suspended ? undefined : person;
    },

    async noteSignOut(subject, source) {
      const person = await repository.findBySubject(db, subject);
      if (person) await audit('user.sign_out', person, source);
    },

    endSessions: (subject) => removeBySubject(db, subject),
  };
}

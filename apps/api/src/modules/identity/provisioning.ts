import { type Role, role } from '@cordon/contract';
import type { JWTPayload } from 'jose';
import { type Db, uniqueViolation } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import { auditUser } from '../accounts/service.ts';
import { rolesFromClaims } from './claims.ts';
import { normalizeEmail } from './email.ts';
import * as repository from './repository.ts';
import type { Accounts } from './service.ts';

export interface ExternalIssuerOptions {
  readonly db: Db;
  readonly accounts: Accounts;
  /** Brand of accounts that come to be this way: a token does not say where its owner registered. */
  readonly brand: string;
}

const knownRoles = (claims: JWTPayload): Role[] =>
  rolesFromClaims(claims).filter((name): name is Role => role.safeParse(name).success);

const sameRoles = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((name) => right.includes(name));

/**
 * With OIDC_ISSUER: users come to be on the first valid token, with account and free subscription, and have the roles
 * that the token has where Keycloak puts them. A user from before is taken over only by an address that the issuer
 * calls verified: an address alone proves nothing.
 */
export function createProvisioning(options: ExternalIssuerOptions): (claims: JWTPayload) => Promise<void> {
  const { db, accounts, brand } = options;

  async function keep(person: repository.Person, claims: JWTPayload, email: string | null): Promise<void> {
    const roles = knownRoles(claims);
    if (!sameRoles(person.roles, roles)) await accounts.updateSignIn(person.id, { roles });
    if (email === null || email === person.email || claims.email_verified !== true) return;
    if ((await repository.findByEmail(db, email)) === undefined) await accounts.updateSignIn(person.id, { email });
  }

  async function admit(subject: string, claims: JWTPayload, email: string): Promise<void> {
    const namesake = await repository.findByEmail(db, email);
    if (namesake === undefined) {
      const name = typeof claims.name === 'string' ? claims.name.slice(0, 100) : '';
      const language = typeof claims.locale === 'string' ? claims.locale.slice(0, 2).toLowerCase() : '';
      const locale = language === 'zh' || language === 'en' ? language : undefined;
      const { accountId, userId: id } = await accounts.createAccount({
        subject,
        email,
        name,
        locale,
        brand,
        roles: knownRoles(claims),
        isEmailVerified: claims.email_verified === true,
      });
      await auditUser(db, 'account.create', { accountId, id, email });
      return;
    }
    if (claims.email_verified !== true)
      throw new AppError('FORBIDDEN', {
        message: 'Another user has this e-mail address, and the identity provider did not verify it.',
      });
    await accounts.updateSignIn(namesake.id, { subject });
    await keep(namesake, claims, email);
  }

  return async (claims) => {
    const subject = claims.sub as string;
    const email = normalizeEmail(typeof claims.email === 'string' ? claims.email : '');
    const person = await repository.findBySubject(db, subject);
    if (person !== undefined) return keep(person, claims, email);
    if (email === null)
      throw new AppError('FORBIDDEN', { message: 'The token of a new user must carry an e-mail address.' });
    try {
      await admit(subject, claims, email);
    } catch (error) {
      // Two first requests at once: the other one made the user.
      if (uniqueViolation(error) === undefined || (await repository.findBySubject(db, subject)) === undefined)
        throw error;
    }
  };
}

import type { identityOperations } from '@cordon/contract';
import { decodeJwt } from 'jose';
import { sourceOf } from '../../platform/actor.ts';
import { bearerOf } from '../../platform/auth.ts';
import { AppError } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/mount.ts';
import type { Brands } from '../brands/service.ts';
import type { IdentityService } from './service.ts';

interface PasswordHandlerParts {
  readonly service: Pick<IdentityService, 'changePassword'>;
  readonly brands: Brands;
  readonly hasExternalIssuer: boolean;
}

export function createPasswordHandlers(parts: PasswordHandlerParts): Handlers<typeof identityOperations> {
  const { service, brands, hasExternalIssuer } = parts;
  return {
    async changePassword({ req, principal, body }) {
      if (hasExternalIssuer)
        throw new AppError('FORBIDDEN', { message: 'Change the password at the identity provider.' });
      // A token of the API may be left in a script: it does not stand for the person.
      if (principal.kind !== 'user') throw new AppError('FORBIDDEN', { message: 'Sign in to change the password.' });
      const { sub, sid } = decodeJwt(bearerOf(req.headers.authorization));
      await service.changePassword({
        currentPassword: body.current_password,
        newPassword: body.new_password,
        subject: sub ?? '',
        sessionUid: typeof sid === 'string' ? sid : '',
        brandName: (brands.byHostname(req.hostname) ?? brands.fallback).name,
        source: sourceOf(req),
      });
    },
  };
}

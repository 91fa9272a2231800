import type { originOperations } from '@cordon/contract';
import type { Handlers } from '../../platform/mount.ts';
import type { OriginAccessService } from './access-service.ts';
import type { OriginHealthService } from './health-service.ts';
import type { OriginLockService } from './lock-service.ts';
import { requireTlsCa } from './tls-ca.ts';
import type { UpstreamVerification } from './upstream-verification.ts';

export interface OriginHandlerParts {
  readonly access: OriginAccessService;
  readonly locks: OriginLockService;
  readonly health: OriginHealthService;
  readonly verifyUpstreams: UpstreamVerification;
}

export const createOriginHandlers = (parts: OriginHandlerParts): Handlers<typeof originOperations> => ({
  getOriginHealth: ({ actor, params }) => parts.health.read(actor.accountId, params.id),
  getOriginAccess: ({ actor, params }) => parts.access.get(actor.accountId, params.id),
  changeOriginLock: ({ actor, params, body }) => parts.locks.change(actor, params.id, body.action),
  revealOriginKey: ({ actor, params }) => parts.locks.reveal(actor, params.id),
  readCertificates: async ({ body }) => requireTlsCa('pem', body.pem, new Date()),
  verifyUpstreamProtocol: ({ actor, query }) =>
    parts.verifyUpstreams(actor.accountId, query.upstreams, query.server_name),
});

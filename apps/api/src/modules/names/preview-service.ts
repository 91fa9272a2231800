import type { Db } from '../../platform/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { Environment } from '../../settings/env.ts';
import { clientAddress, isLoopback } from '../../settings/name-servers.ts';
import type { EdgeNodeService } from '../edge-nodes/service.ts';
import { findRoute, stateForbids } from '../routes/service.ts';
import { type Preview, signPreview } from './preview.ts';

export interface PreviewService {
  /** How to see the live version before the name points here. Throws NOT_FOUND, DOMAIN_NOT_DEPLOYED unless running, GATEWAY_CONNECTION_ERROR while no node could answer. */
  createPreview(accountId: string, routeId: string): Promise<Preview>;
}

export interface PreviewParts {
  readonly db: Db;
  readonly env: Environment;
  readonly nodes: Pick<EdgeNodeService, 'addressesByCzone' | 'previewKey' | 'requireReachable'>;
}

export function createPreviewService({ db, env, nodes }: PreviewParts): PreviewService {
  return {
    async createPreview(accountId, routeId) {
      const route = await findRoute(db, accountId, routeId);
      if (!route) throw notFound();
      if (route.version_live === null) throw new AppError('DOMAIN_NOT_DEPLOYED');
      if (route.status !== 'running') throw stateForbids(route.status);
      await nodes.requireReachable(route.czone);
      const address = (await nodes.addressesByCzone())[route.czone]?.[0] ?? '127.0.0.1';
      const ownServer =
        env.dnsPort === undefined || env.absentParts.includes('dns')
          ? null
          : { address: clientAddress(env.bind), port: env.dnsPort };
      return signPreview(
        await nodes.previewKey(),
        route,
        { address, httpsPort: env.edgeHttpsPort },
        isLoopback(env.bind) ? ownServer : 'delegated',
      );
    },
  };
}

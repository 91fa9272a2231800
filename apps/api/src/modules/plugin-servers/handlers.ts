import type { pluginServerOperations } from '@cordon/contract';
import { fieldErrors, notFound } from '@cordon/contract/app-error';
import { definitions } from '@cordon/plugins/definitions';
import type { Executor } from '../../platform/database.ts';
import type { Handlers } from '../../platform/mount.ts';
import { findRoute } from '../routes/service.ts';
import { listGaps } from './repository.ts';

export const createPluginServersHandlers = (db: Executor): Handlers<typeof pluginServerOperations> => ({
  async listFeedGaps({ actor: { accountId }, query: { feed, route_id: routeId } }) {
    const definition = definitions.find(({ feeds }) => feeds?.includes(feed));
    if (!definition) throw fieldErrors({ feed: 'INVALID' });
    if (routeId !== undefined && !(await findRoute(db, accountId, routeId))) throw notFound();
    return { plugin: definition.name, ...(await listGaps(db, accountId, definition, routeId)) };
  },
});

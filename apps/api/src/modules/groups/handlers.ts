import type { groupOperations } from '@cordon/contract';
import type { Handlers } from '../../platform/mount.ts';
import type { GroupService } from './service.ts';

export const createGroupHandlers = (groups: GroupService): Handlers<typeof groupOperations> => ({
  listGroups: async ({ actor }) => ({ results: await groups.list(actor.accountId) }),
  getGroup: ({ actor, params }) => groups.get(actor.accountId, params.id),
  createGroup: ({ actor, body }) => groups.create(actor, body.name),
  renameGroup: ({ actor, params, body }) => groups.rename(actor, params.id, body.name),
  deleteGroup: ({ actor, params }) => groups.remove(actor, params.id),
});

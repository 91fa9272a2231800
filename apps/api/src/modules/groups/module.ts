import { groupOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import { createGroupHandlers } from './handlers.ts';
import { createGroupService, type GroupService } from './service.ts';

export interface GroupsModuleOptions {
  readonly platform: Platform;
}

export interface GroupsModule extends ApiModule {
  readonly groups: GroupService;
}

export function createGroupsModule({ platform }: GroupsModuleOptions): GroupsModule {
  const groups = createGroupService(platform.db);
  return { groups, mount: (_app, mount) => mount(groupOperations, createGroupHandlers(groups)) };
}

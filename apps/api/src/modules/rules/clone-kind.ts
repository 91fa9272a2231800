import type { RouteConfig } from '@cordon/contract';
import type { BatchKind } from '../batches/service.ts';
import type { CreateService, PreparedDomain } from '../domains/service.ts';
import * as routes from '../routes/service.ts';

export const CLONE = 'clone';

export interface CloneParams {
  readonly cname: string;
  /** Name of the domain that is cloned. */
  readonly source: string;
  readonly config: RouteConfig;
  readonly remarks: string;
  readonly deploy: boolean;
}

export function createCloneKind(creates: CreateService): BatchKind<PreparedDomain> {
  return {
    name: CLONE,
    prepare({ actor, params }, item) {
      const { config, source: _source, ...rest } = params as unknown as CloneParams;
      return creates.prepare(actor, { ...config, ...rest, domain_name: item.name });
    },
    async run({ executor, actor, params }, _item, prepared) {
      const { source } = params as unknown as CloneParams;
      const routeId = await creates.createIn(executor, actor, prepared, source);
      const route = await routes.findAnyRoute(executor, routeId);
      return {
        routeId,
        ...(prepared.domain.deploy && route?.operation_id ? { operationId: route.operation_id } : {}),
        result: { deployed: prepared.domain.deploy },
        ...(route ? { undo: { revision: route.draft_revision, version_before: null } } : {}),
      };
    },
  };
}

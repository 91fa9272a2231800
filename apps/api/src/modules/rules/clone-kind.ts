import type { RouteConfig } from '@cordon/contract';
import type { BatchKind } from '../batches/service.ts';
import type { CreateService, PreparedDomain } from '../domains/service.ts';
import * as routes from '../routes/service.ts';

export const CLONE = 'clone';

export interface CloneParams {
  readonly cname: string;
  readonly config: RouteConfig;
  readonly remarks: string;
  readonly deploy: boolean;
}

export function createCloneKind(creates: CreateService): BatchKind<PreparedDomain> {
  return {
    name: CLONE,
    prepare({ actor, params }, item) {
      const { config, ...rest } = params as unknown as CloneParams;
      return creates.prepare(actor, { ...config, ...rest, domain_name: item.name });
    },
    async run({ executor, actor }, _item, prepared) {
      const routeId = await creates.createIn(executor, actor, prepared);
      const route = await routes.findAnyRoute(executor, routeId);
      return {
        routeId,
        ...(prepared.domain.deploy && route?.operation_id ? { operationId: route.operation_id } : {}),
        result: { deployed: prepared.domain.deploy },
      };
    },
  };
}

import type { domainOperations } from '@cordon/contract';
import { sendCsv } from '../../platform/csv.ts';
import type { Handlers } from '../../platform/mount.ts';
import type { HealthService } from '../health/service.ts';
import type { DeployService } from '../publishing/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { TrafficService } from '../traffic/service.ts';
import type { BulkService } from './bulk-service.ts';
import type { CreateService } from './create-service.ts';
import type { ExportDomains } from './export.ts';
import { figureOf } from './list-page.ts';
import { withoutKnown } from './saved-route.ts';
import type { SelectionReader } from './selection-reader.ts';
import type { DomainService } from './service.ts';

export interface DomainHandlerParts {
  readonly domains: DomainService;
  readonly subscriptions: Pick<SubscriptionService, 'get'>;
  readonly creates: CreateService;
  readonly deploys: Pick<DeployService, 'remove'>;
  readonly bulk: BulkService;
  readonly selections: SelectionReader;
  readonly health: Pick<HealthService, 'selectWorst'>;
  readonly traffic: Pick<TrafficService, 'readDomainFigures'>;
  readonly exportDomains: ExportDomains;
}

export function createDomainHandlers(parts: DomainHandlerParts): Handlers<typeof domainOperations> {
  const { domains } = parts;
  const { filterOf, selectionOf } = parts.selections;

  return {
    listRoutes: async ({ actor, query, page }) => {
      const isUnwell = query.health === 'attention';
      const sort = query.sort ?? (isUnwell ? 'health' : 'domain_name');
      const figure = figureOf(sort);
      const isByHealth = sort === 'health';
      const found = await domains.list({
        ...(await filterOf(actor.accountId, isByHealth && isUnwell ? { ...query, health: undefined } : query)),
        ...(isByHealth && {
          worst: { ...(await parts.health.selectWorst(actor.accountId)), isAll: isUnwell },
        }),
        ...(figure && { figures: await parts.traffic.readDomainFigures(actor.accountId, figure) }),
        sort,
        ...page,
      });
      // Asked only where it makes a difference.
      if (found.count === 0 && query.cname !== undefined)
        await parts.subscriptions.get(actor.accountId, { cname: query.cname });
      return found;
    },
    createRoute: async ({ actor, body }) => domains.get(actor.accountId, await parts.creates.create(actor, body)),
    getRoute: ({ actor, params }) => domains.get(actor.accountId, params.id),
    updateRoute: async ({ actor, params, body, ifMatch, prefersMinimal }) => {
      const { before, ...written } = await domains.update(actor, params.id, ifMatch, body);
      const saved = await domains.get(actor.accountId, params.id, written);
      return prefersMinimal ? withoutKnown(saved, body.plugins ?? [], before) : saved;
    },
    deleteRoute: async ({ actor, params, body }) => {
      await parts.deploys.remove(actor, params.id, { cname: body.cname, confirm: body.confirm });
      return domains.getSummary(actor.accountId, params.id);
    },
    bulkRoutes: async ({ actor, body: { selection, action, cname, group_id, note, soft, digest } }) =>
      parts.bulk.start(actor, {
        action,
        selection: await selectionOf(actor.accountId, selection),
        cname,
        group_id,
        note,
        soft,
        digest,
      }),
    previewBulk: async ({ actor, body: { selection, action, cname, group_id } }) =>
      parts.bulk.preview(actor, { action, selection: await selectionOf(actor.accountId, selection), cname, group_id }),
    exportRoutes: async ({ actor, query, reply }) => {
      if (query.cname !== undefined) await parts.subscriptions.get(actor.accountId, { cname: query.cname });
      const day = new Date().toISOString().slice(0, 10);
      await sendCsv(reply, `domains-${day}.csv`, parts.exportDomains(await filterOf(actor.accountId, query)));
    },
  };
}

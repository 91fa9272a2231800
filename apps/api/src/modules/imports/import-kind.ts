import type { ImportedDomain } from '@cordon/contract';
import { AppError, fieldErrors } from '../../platform/errors.ts';
import type { BatchKind } from '../batches/service.ts';
import type { CreateService, PreparedDomain } from '../domains/service.ts';
import type { GroupService } from '../groups/service.ts';
import { findRoute } from '../routes/service.ts';

/** Parameters of a batch of imported domains. */
export interface ImportParams extends Record<string, unknown> {
  /** Of the subscription that the domains will belong to. */
  readonly cname: string;
}

/** Kind of batch that adds the domains of an import file, and deploys those that are to run. */
interface PreparedRow {
  readonly domain: PreparedDomain;
  /** Undefined: the default group. */
  readonly groupId: string | undefined;
}

/** A file's reader knows shadow domains by name, not by their place: field errors of `shadow_domains.<n>` say which it is. */
async function namingShadowDomains<T>({ shadow_domains }: ImportedDomain, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const named = shadow_domains.flatMap((name, index) => {
      const path = `shadow_domains.${index}`;
      return path in error.fields ? [[path, { ...error.params[path], name }] as const] : [];
    });
    throw named.length === 0 ? error : fieldErrors(error.fields, { ...error.params, ...Object.fromEntries(named) });
  }
}

export function createImportKind(creates: CreateService, groups: GroupService): BatchKind<PreparedRow> {
  const groupUnknown = () => fieldErrors({ group: 'IMPORT_GROUP_UNKNOWN' });
  async function findGroup(accountId: string, name: string): Promise<string | undefined> {
    if (name === '') return undefined;
    const id = (await groups.findByName(accountId, [name])).get(name);
    if (id === undefined) throw groupUnknown();
    return id;
  }

  return {
    name: 'import',
    hasRows: true,
    async prepare({ actor, params }, item) {
      const input = item.input as ImportedDomain;
      const { domain_name, upstreams, remarks, status, group, shadow_domains } = input;
      const groupId = await findGroup(actor.accountId, group);
      const { cname } = params as ImportParams;
      const deploy = status === 'running';
      const wanted = { cname, domain_name, upstreams, remarks, deploy, shadow_domains };
      const domain = await namingShadowDomains(input, creates.prepare(actor, wanted));
      return { domain, groupId };
    },
    async run({ executor, actor }, item, { domain, groupId }) {
      const input = item.input as ImportedDomain;
      // It may be gone since the row was prepared.
      if (groupId !== undefined && !(await groups.hold(executor, actor.accountId, groupId))) throw groupUnknown();
      const routeId = await namingShadowDomains(input, creates.createIn(executor, actor, domain));
      if (groupId !== undefined) await groups.moveIn(executor, [routeId], groupId);
      const route = await findRoute(executor, actor.accountId, routeId);
      if (!route) throw new AppError('NOT_FOUND');
      return {
        routeId,
        ...(domain.domain.deploy && route.operation_id !== null ? { operationId: route.operation_id } : {}),
        result: { row: input.row },
        undo: { revision: route.draft_revision, version_before: null },
      };
    },
  };
}

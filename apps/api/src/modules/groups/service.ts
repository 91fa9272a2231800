import { type Actor, type AuditAction, GROUPS_MAX, type Group } from '@cordon/contract';
import { auditedBy, changesOf, insertAudit } from '../../platform/audit.ts';
import { type Db, type Executor, runInTransaction, uniqueViolation } from '../../platform/database.ts';
import { AppError, fieldErrors, notFound } from '../../platform/errors.ts';
import * as repository from './repository.ts';

/** Groups of an account's domains. Another account's are NOT_FOUND everywhere. */
export interface GroupService {
  list(accountId: string): Promise<Group[]>;
  get(accountId: string, groupId: string): Promise<Group>;
  /** The ids of those that there are, by the names as they were asked for; case does not matter. */
  findByName(accountId: string, names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Throws GROUP_NAME_TAKEN at `name`, and GROUPS_FULL. */
  create(actor: Actor, name: string): Promise<Group>;
  /** Throws GROUP_NAME_TAKEN at `name`. The default group may have another name, too. */
  rename(actor: Actor, groupId: string, name: string): Promise<Group>;
  /** Its domains fall back to the default group; throws GROUP_IS_DEFAULT for that one. */
  remove(actor: Actor, groupId: string): Promise<void>;
  /** Moves domains to a group that is held. */
  moveIn(executor: Executor, routeIds: readonly string[], groupId: string): Promise<void>;
  /** The group, undefined where there is none; it is there until the transaction ends. */
  hold(executor: Executor, accountId: string, groupId: string): Promise<{ readonly name: string } | undefined>;
}

const toGroup = ({ is_default, ...row }: repository.GroupRow): Group => ({ ...row, default_group: is_default });

/** A name that is in use is an error of its field. */
function mapNameConflict(error: unknown): never {
  if (uniqueViolation(error) === 'groups_name') throw fieldErrors({ name: 'GROUP_NAME_TAKEN' });
  throw error;
}

export function createGroupService(db: Db): GroupService {
  async function get(accountId: string, groupId: string): Promise<Group> {
    const [row] = await repository.listGroups(db, accountId, groupId);
    if (!row) throw notFound();
    return toGroup(row);
  }
  /** @param was The name before. */
  const audit = (executor: Executor, actor: Actor, action: AuditAction, id: string, name: string, was = name) =>
    insertAudit(
      executor,
      auditedBy(actor, {
        action,
        subject: `group ${id}`,
        details: { name },
        changes: changesOf({ name: was }, { name }),
      }),
    );

  return {
    get,
    list: async (accountId) => (await repository.listGroups(db, accountId)).map(toGroup),
    async findByName(accountId, names) {
      if (names.length === 0) return new Map();
      const found = await repository.findGroupsByName(db, accountId, names);
      return new Map(found.map(({ name, id }) => [name, id]));
    },
    async create(actor, name) {
      const id = await runInTransaction(db, async (trx) => {
        if ((await repository.countGroups(trx, actor.accountId)) >= GROUPS_MAX) throw new AppError('GROUPS_FULL');
        const made = await repository.insertGroup(trx, actor.accountId, name);
        await audit(trx, actor, 'group.create', made, name);
        return made;
      }).catch(mapNameConflict);
      return get(actor.accountId, id);
    },
    async rename(actor, groupId, name) {
      await runInTransaction(db, async (trx) => {
        const group = await repository.lockGroup(trx, actor.accountId, groupId);
        if (!group) throw notFound();
        await repository.renameGroup(trx, actor.accountId, groupId, name);
        await audit(trx, actor, 'group.rename', groupId, name, group.name);
      }).catch(mapNameConflict);
      return get(actor.accountId, groupId);
    },
    remove: (actor, groupId) =>
      runInTransaction(db, async (trx) => {
        const group = await repository.lockGroup(trx, actor.accountId, groupId);
        if (!group) throw notFound();
        if (group.is_default) throw new AppError('GROUP_IS_DEFAULT');
        await repository.deleteGroup(trx, actor.accountId, groupId);
        await audit(trx, actor, 'group.delete', groupId, group.name);
      }),
    moveIn: repository.setGroup,
    hold: repository.holdGroup,
  };
}

import { runInTransaction } from '../platform/database.ts';
import { audit, type OperatorContext, type Options, requireReason } from './context.ts';
import { OperatorError } from './usage.ts';

export async function addNode(context: OperatorContext, options: Options): Promise<void> {
  const reason = requireReason(options);
  const czones = (options.czones ?? '')
    .split(',')
    .map((czone) => czone.trim())
    .filter((czone) => czone !== '');
  if (options.name === undefined) throw new OperatorError('Name the node with --name.');
  const { credential } = await runInTransaction(context.db, async (trx) => {
    const added = await context.nodes.addNode(trx, {
      name: options.name as string,
      czones,
      addresses: options.address,
    });
    await audit(trx, {
      accountId: null,
      action: 'operator.node_add',
      subject: `node ${added.id}`,
      reason,
      details: { name: options.name, czones },
    });
    return added;
  });
  context.print(credential);
}

/** Names answer with the new addresses at once, resolvers that remember the old ones after their time to live. */
export async function setNodeAddresses(
  context: OperatorContext,
  name: string | undefined,
  options: Options,
): Promise<void> {
  const reason = requireReason(options);
  if (name === undefined) throw new OperatorError('Say which node.');
  const addresses = await runInTransaction(context.db, async (trx) => {
    const set = await context.nodes.setAddresses(trx, name, options.address);
    await audit(trx, {
      accountId: null,
      action: 'operator.node_address',
      subject: `node ${name}`,
      reason,
      details: { addresses: set },
    });
    return set;
  });
  context.print(`node ${name} is at ${addresses.join(', ')}`);
}

export async function revokeNode(context: OperatorContext, name: string | undefined, options: Options): Promise<void> {
  const reason = requireReason(options);
  await runInTransaction(context.db, async (trx) => {
    if (name === undefined || !(await context.nodes.revokeNode(trx, name)))
      throw new OperatorError(`There is no node "${name ?? ''}".`);
    await audit(trx, {
      accountId: null,
      action: 'operator.node_revoke',
      subject: `node ${name}`,
      reason,
    });
  });
  context.print(`node ${name} revoked`);
}

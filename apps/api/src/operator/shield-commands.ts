import { runInTransaction } from '../platform/database.ts';
import { audit, type OperatorContext, type Options, requireReason } from './context.ts';
import { OperatorError } from './usage.ts';

const namesIn = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Nodes hear of it within a second or two. */
async function setShields(context: OperatorContext, options: Options, nodes: readonly string[]): Promise<void> {
  const reason = requireReason(options);
  const { czone } = options;
  if (czone === undefined) throw new OperatorError('Name the czone with --czone.');
  await runInTransaction(context.db, async (trx) => {
    await context.nodes.setShields(trx, czone, nodes);
    await audit(trx, {
      accountId: null,
      action: 'operator.czone_shield',
      subject: `czone ${czone}`,
      reason,
      details: { nodes },
    });
  });
  context.print(
    nodes.length === 0
      ? `nodes of ${czone} ask origins themselves`
      : `nodes of ${czone} fetch through ${nodes.join(', ')}`,
  );
}

/** Has the other nodes of a czone fetch through some of them. */
export async function shieldCzone(context: OperatorContext, options: Options): Promise<void> {
  const nodes = namesIn(options.nodes);
  if (nodes.length === 0) throw new OperatorError('Name the nodes with --nodes, commas between.');
  await setShields(context, options, nodes);
}

/** Has all nodes of a czone ask origins themselves. */
export const unshieldCzone = (context: OperatorContext, options: Options): Promise<void> =>
  setShields(context, options, []);

export async function listCzones(context: OperatorContext): Promise<void> {
  for (const { czone, nodes } of await context.nodes.listShields())
    context.print(`${czone}\t${nodes.length === 0 ? 'no shields' : `shields ${nodes.join(',')}`}`);
}

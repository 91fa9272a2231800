import { parseArgs } from 'node:util';
import { createEdgeNodeService, listNodes, NodeRefused } from '../modules/edge-nodes/service.ts';
import { AppError } from '../platform/errors.ts';
import * as commands from './commands.ts';
import type { OperatorContext, Options } from './context.ts';
import * as nodeCommands from './node-commands.ts';
import * as shieldCommands from './shield-commands.ts';
import { OperatorError, usageOf } from './usage.ts';

const OPTIONS = {
  email: { type: 'string' },
  account: { type: 'string' },
  name: { type: 'string' },
  plan: { type: 'string' },
  'password-stdin': { type: 'boolean', default: false },
  generate: { type: 'boolean', default: false },
  ttl: { type: 'string' },
  scopes: { type: 'string' },
  czones: { type: 'string' },
  czone: { type: 'string' },
  nodes: { type: 'string' },
  address: { type: 'string', multiple: true },
  reason: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function readArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: OPTIONS,
      allowPositionals: true,
      strict: true,
    });
    const { 'password-stdin': passwordStdin, help: _, ...rest } = values;
    return { options: { ...rest, address: rest.address ?? [], passwordStdin } as Options, positionals };
  } catch (error) {
    throw new OperatorError(error instanceof Error ? `${error.message.split('. ')[0]}.` : 'The arguments are wrong.');
  }
}

/** Whether the arguments ask for nothing but help. */
export const wantsHelp = (args: readonly string[]): boolean =>
  args.length === 0 || args.includes('--help') || args.includes('-h') || args[0] === 'help';

/** Runs one command. Throws OperatorError with one sentence for the person at the terminal. */
export async function runOperator(context: Omit<OperatorContext, 'nodes'>, args: readonly string[]): Promise<void> {
  if (wantsHelp(args)) return context.print(usageOf(args));
  const { options, positionals } = readArguments(args);
  const [noun, verb, target, ...surplus] = positionals;
  if (surplus.length > 0) throw new OperatorError(`"${surplus[0]}" is one word too many.`);
  // Adding a node needs no key: its credential is only kept hashed.
  const nodes = createEdgeNodeService(context.db, undefined, { default_brand: '', brands: {} });
  const full: OperatorContext = { ...context, nodes };
  try {
    switch (`${noun} ${noun === 'token' ? '' : (verb ?? '')}`.trim()) {
      case 'token':
        return await commands.issueToken(full, options);
      case 'account list':
        return await commands.listAccounts(full);
      case 'account create':
        return await commands.createAccount(full, options);
      case 'suspend account':
      case 'suspend route':
        return await commands.setSuspended(full, verb, target, true, options);
      case 'unsuspend account':
      case 'unsuspend route':
        return await commands.setSuspended(full, verb, target, false, options);
      case 'names verify':
        return await commands.verifyName(full, target, options);
      case 'node add':
        return await nodeCommands.addNode(full, options);
      case 'node address':
        return await nodeCommands.setNodeAddresses(full, target, options);
      case 'node revoke':
        return await nodeCommands.revokeNode(full, target, options);
      case 'node list':
        for (const node of await listNodes(context.db))
          context.print(
            [
              node.name,
              node.czones.join(','),
              node.addresses.join(','),
              node.revoked_at === null ? 'active' : 'revoked',
              `last seen ${node.last_seen_at ?? 'never'}`,
            ].join('\t'),
          );
        return;
      case 'czone shield':
        return await shieldCommands.shieldCzone(full, options);
      case 'czone unshield':
        return await shieldCommands.unshieldCzone(full, options);
      case 'czone list':
        return await shieldCommands.listCzones(full);
      default:
        throw new OperatorError(`There is no command "${positionals.slice(0, 2).join(' ')}"; see --help.`);
    }
  } catch (error) {
    if (error instanceof NodeRefused || error instanceof AppError)
      throw new OperatorError(error.message, { cause: error });
    throw error;
  }
}

import type { TokenScope } from '@cordon/contract';

/** What money and credentials are opened by is never in here, whatever scopes there will be. */
export const OPERATOR_SCOPES: readonly TokenScope[] = [
  'domains:read',
  'domains:write',
  'traffic:read',
  'account:read',
  'audit:read',
];

const REASON = [
  '--reason <why>',
  'Kept in the audit log; what is done to an account, its customer reads there.',
] as const;
const FIND_ACCOUNT = 'E-mail address or id of the account.';
const FIND_ROUTE = 'Name or id of the domain.';
const ADDRESS = [
  '--address <address>',
  'IPv4 or IPv6 address that names answer with; again for each one more.',
] as const;

/** A command as its help says it. */
interface Command {
  /** `account create`. */
  readonly words: string;
  readonly synopsis: string;
  readonly does: string;
  /** What it takes, and what that means. */
  readonly takes?: readonly (readonly [string, string])[];
}

/** In the order of the list of all. */
export const COMMANDS: readonly Command[] = [
  {
    words: 'account list',
    synopsis: '',
    does: 'Lists accounts: id, e-mail address, plan, number of domains, whether suspended, since when.',
  },
  {
    words: 'account create',
    synopsis: '--email <address> (--password-stdin | --generate) [--name <text>] [--plan <plan>] --reason <why>',
    does: 'Creates an account whose e-mail address counts as verified, and prints its id.',
    takes: [
      ['--email <address>', 'The user signs in with it.'],
      ['--password-stdin', 'Takes the password from the standard input.'],
      ['--generate', 'Makes a password, and prints it.'],
      ['--name <text>', 'Of the user; empty unless given.'],
      ['--plan <plan>', 'Of the first subscription; free unless given (vip in the demo).'],
      REASON,
    ],
  },
  {
    words: 'token',
    synopsis: '--account <e-mail or id> [--ttl 15m] [--scopes domains:read,…] --reason <why>',
    does: [
      'Prints a token by which you call the API for an account: Authorization: Bearer <token>. It opens neither money',
      'nor credentials. Scripts of customers take tokens that they make themselves, under Account → API tokens.',
    ].join('\n'),
    takes: [
      ['--account <e-mail or id>', FIND_ACCOUNT],
      ['--ttl <time>', 'How long it counts, from 1s to 1h: 30m, 3600s. 15m unless given.'],
      ['--scopes <scope>,…', `What it opens; all of these unless given: ${OPERATOR_SCOPES.join(', ')}.`],
      REASON,
    ],
  },
  {
    words: 'suspend account',
    synopsis: '<e-mail or id> --reason <why>',
    does: 'Takes all domains of an account off the edge; its users may look at everything, and change nothing.',
    takes: [['<e-mail or id>', FIND_ACCOUNT], REASON],
  },
  {
    words: 'suspend route',
    synopsis: '<name or id> --reason <why>',
    does: 'Takes a domain off the edge.',
    takes: [['<name or id>', FIND_ROUTE], REASON],
  },
  {
    words: 'unsuspend account',
    synopsis: '<e-mail or id> --reason <why>',
    does: 'Brings the domains of a suspended account back to the edge.',
    takes: [['<e-mail or id>', FIND_ACCOUNT], REASON],
  },
  {
    words: 'unsuspend route',
    synopsis: '<name or id> --reason <why>',
    does: 'Brings a suspended domain back to the edge.',
    takes: [['<name or id>', FIND_ROUTE], REASON],
  },
  {
    words: 'names verify',
    synopsis: '<route id or name> --reason <why>',
    does: 'Counts a name as owned by the account that has it, without a look at DNS.',
    takes: [
      ['<route id or name>', "Of a domain, or the name of an alias: each of a domain's names is proved for itself."],
      REASON,
    ],
  },
  {
    words: 'node list',
    synopsis: '',
    does: 'Lists nodes: name, czones, addresses, whether revoked, when they were last heard of.',
  },
  {
    words: 'node add',
    synopsis: '--name <name> --czones free01,… --address <address> [--address …] --reason <why>',
    does: "Adds a node, and prints the credential for its agent's CORDON_NODE_CREDENTIAL; it is shown once.",
    takes: [
      ['--name <name>', 'Unique among nodes.'],
      ['--czones <czone>,…', 'Whose domains it serves.'],
      ADDRESS,
      REASON,
    ],
  },
  {
    words: 'node address',
    synopsis: '<name> --address <address> [--address …] --reason <why>',
    does: 'Gives a node other addresses, in place of those that it has; names answer with them at once.',
    takes: [ADDRESS, REASON],
  },
  {
    words: 'node revoke',
    synopsis: '<name> --reason <why>',
    does: 'Ends a node: it is refused at once, and leaves DNS.',
    takes: [REASON],
  },
  { words: 'czone list', synopsis: '', does: 'Lists czones and the nodes that are their origin shields.' },
  {
    words: 'czone shield',
    synopsis: '--czone vip01 --nodes <name>,… --reason <why>',
    does: 'Has the other nodes of a czone fetch through these, in place of those that were its shields.',
    takes: [['--czone <czone>', 'Of which.'], ['--nodes <name>,…', 'Nodes that serve this czone.'], REASON],
  },
  {
    words: 'czone unshield',
    synopsis: '--czone vip01 --reason <why>',
    does: 'Has all nodes of a czone ask origins themselves.',
    takes: [['--czone <czone>', 'Of which.'], REASON],
  },
];

const PREFIX = 'npm run operator --';
const SETTINGS =
  "Settings: DATABASE_URL, or a running instance's in CORDON_DATA_DIR (default .cordon); CORDON_EDGE_DOMAIN.\n";

const lineOf = ({ words, synopsis }: Command): string => `${words} ${synopsis}`.trim();

function helpOf({ takes = [], ...command }: Command): string {
  const width = Math.max(...takes.map(([term]) => term.length));
  const lines = takes.map(([term, meaning]) => `  ${term.padEnd(width)}  ${meaning}`);
  return [
    `Usage: ${PREFIX} ${lineOf(command)}`,
    '',
    command.does,
    ...(lines.length > 0 ? ['', ...lines] : []),
    '',
  ].join('\n');
}

/** What `operator --help` prints. */
const USAGE = `Usage: ${PREFIX} <command>

${COMMANDS.map((command) => `  ${lineOf(command)}`).join('\n')}

Every command that changes something needs --reason; what is done to an account, its customer reads in the audit log.
What a command takes: ${PREFIX} <command> --help
${SETTINGS}`;

/** The help that arguments ask for: of the commands that they name, or the list of all. */
export function usageOf(args: readonly string[]): string {
  const [noun, verb] = args.filter((word) => word !== 'help' && !word.startsWith('-'));
  const ofNoun = COMMANDS.filter(({ words }) => words.split(' ')[0] === noun);
  const ofBoth = ofNoun.filter(({ words }) => words === `${noun} ${verb}`);
  const asked = ofBoth.length > 0 ? ofBoth : ofNoun;
  return asked.length === 0 ? USAGE : asked.map(helpOf).join('\n');
}

/** A mistake of the person at the terminal: one sentence, exit code 1. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

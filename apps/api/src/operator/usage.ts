/** What `operator --help` prints. */
export const USAGE = `Usage: npm run operator -- <command>

  account list
  account create --email <address> (--password-stdin | --generate) [--name <text>] [--plan <plan>] --reason <why>
  token --account <e-mail or id> [--ttl 15m] [--scopes domains:read,…] --reason <why>
  suspend account|route <id, e-mail or name> --reason <why>
  unsuspend account|route <id, e-mail or name> --reason <why>
  names verify <route id or name> --reason <why>
  node list
  node add --name <name> --czones free01,… --address <address> [--address …] --reason <why>
  node address <name> --address <address> [--address …] --reason <why>
  node revoke <name> --reason <why>
  czone list
  czone shield --czone vip01 --nodes <name>,… --reason <why>
  czone unshield --czone vip01 --reason <why>

Every command that touches an account needs --reason; the customer sees it in the audit log.
A token lives at most an hour (--ttl 30m, 3600s) and opens neither money nor credentials.
Settings: DATABASE_URL, or a running instance's in CORDON_DATA_DIR (default .cordon); CORDON_EDGE_DOMAIN.
`;

/** A mistake of the person at the terminal: one sentence, exit code 1. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

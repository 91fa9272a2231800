import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { StartFailure } from './process/start-failure.ts';
import { findAccount, type SystemAccount } from './process/system-account.ts';

/** PostgreSQL refuses to be root. */
const ACCOUNT = 'postgres';

/** Finds or makes the system account; undefined when we are not root and PostgreSQL can run as ourselves. */
export function postgresAccount(): SystemAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return findAccount(ACCOUNT) ?? createAccount();
}

function createAccount(): SystemAccount {
  try {
    accessSync('/etc/passwd', constants.W_OK);
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', ACCOUNT], {
      stdio: 'pipe',
    });
  } catch (error) {
    // Another start may just have made it.
    const account = findAccount(ACCOUNT);
    if (account) return account;
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new StartFailure(
      `PostgreSQL does not run as root, and the system account "${ACCOUNT}" could not be made: ${reason}`,
    );
  }
  const account = findAccount(ACCOUNT);
  if (!account) throw new StartFailure(`The system account "${ACCOUNT}" was made but cannot be found.`);
  return account;
}

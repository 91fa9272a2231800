import { type Db, runInTransaction } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Environment } from '../../settings/env.ts';
import { defaultNameServers } from '../../settings/name-servers.ts';
import * as repository from './repository.ts';
import { scramVerifier } from './scram.ts';

export interface DnsService {
  /**
   * Writes down the zone of the czones' names, and gives name servers their role if this process knows its password.
   * A database user who may not make roles leaves that to the operator: it is logged, and nothing else fails.
   */
  prepare(): Promise<void>;
}

export function createDnsService(
  env: Pick<Environment, 'edgeDomain' | 'bind' | 'nameServers' | 'dnsPassword'>,
  db: Db,
  log: Log,
): DnsService {
  return {
    async prepare() {
      const servers = env.nameServers.length > 0 ? env.nameServers : defaultNameServers(env.edgeDomain, env.bind);
      await runInTransaction(db, (trx) => repository.publishZone(trx, env.edgeDomain, servers));
      if (env.dnsPassword === undefined) return;
      const verifier = scramVerifier(env.dnsPassword);
      try {
        const role = await repository.readerRole(db);
        await runInTransaction(db, (trx) => repository.grantReader(trx, role, verifier));
      } catch (err) {
        log.error({ err }, 'the role of name servers could not be made (docs/operating.md, "Names")');
      }
    },
  };
}

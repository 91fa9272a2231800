import type { FieldErrorCode } from '@cordon/contract';
import type { Db, Executor } from '../../platform/database.ts';
import { fieldErrors } from '../../platform/errors.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { Evict, TakenName } from './eviction.ts';
import { registrableName } from './name-rules.ts';
import type { OwnershipProof } from './ownership-proof.ts';
import {
  findName,
  findNames,
  lockNamesBelow,
  type NameHolder,
  releasedByOthers,
  spansOthers,
  unprovedBelow,
} from './repository.ts';

/** Days after which a proved name that another account gave up needs no TXT proof any more (security design, "Names"). */
const PROOF_DAYS = 30;
/** TXT records asked for at once. */
const LOOKS_AT_ONCE = 10;

type Conflict = 'taken' | 'yours' | 'spans';

/** Names that an account wants for a route; errors are reported at `pathOf(index)`. */
export interface Claim {
  readonly accountId: string;
  readonly subscriptionId: string;
  readonly names: readonly string[];
  readonly pathOf: (index: number) => string;
}

export interface NameClaims {
  /**
   * Which of the names the account has proved by TXT, of those that stand in another account's way. Asks DNS: not for
   * use inside a transaction.
   */
  proved(accountId: string, names: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Takes the names for the account inside a transaction, before anything else is locked: who else adds one of them
   * waits. Throws one error for all that are taken, QUOTA_REACHED when there are not that many left. Answers until when
   * a name needs the TXT proof, because it was another account's shortly before.
   */
  claimIn(
    executor: Executor,
    claim: Claim,
    proved: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, string | undefined>>;
  /** Throws one error for all names that a claim would be refused for now, before there is one. Asks DNS, as `proved` does. */
  checkFree(claim: Omit<Claim, 'subscriptionId'>): Promise<void>;
  /** The error for names that were taken in the meantime. */
  refusal(executor: Executor, claim: Claim): Promise<Error>;
}

export interface NameClaimParts {
  readonly db: Db;
  readonly subscriptions: SubscriptionService;
  readonly proof: OwnershipProof;
  readonly evict: Evict;
}

export function createNameClaims({ db, subscriptions, proof, evict }: NameClaimParts): NameClaims {
  async function conflictsOf(
    executor: Executor,
    accountId: string,
    names: readonly string[],
  ): Promise<Map<string, { conflict: Conflict; holder?: NameHolder }>> {
    const holders = new Map((await findNames(executor, names)).map((holder) => [holder.name, holder]));
    const found = new Map<string, { conflict: Conflict; holder?: NameHolder }>();
    for (const name of names) {
      const holder = holders.get(name);
      if (holder) found.set(name, { conflict: holder.account_id === accountId ? 'yours' : 'taken', holder });
      else if (await spansOthers(executor, accountId, name)) found.set(name, { conflict: 'spans' });
    }
    return found;
  }

  /** Refusals do not name the holder, but the record that would prove the name. */
  function refuse(claim: Omit<Claim, 'subscriptionId'>, refused: readonly (readonly [string, Conflict])[]): Error {
    const fields: Record<string, FieldErrorCode> = {};
    const params: Record<string, Record<string, string>> = {};
    for (const [name, conflict] of refused) {
      const path = claim.pathOf(claim.names.indexOf(name));
      fields[path] =
        conflict === 'yours'
          ? 'DOMAIN_NAME_YOURS'
          : conflict === 'taken'
            ? 'DOMAIN_NAME_TAKEN'
            : 'WILDCARD_SPANS_OTHERS';
      if (conflict === 'yours') continue;
      const record = proof.txtRecord(claim.accountId, name);
      params[path] = { txt_name: record.name, txt_value: record.value };
    }
    return fieldErrors(fields, params);
  }

  /** Those that the claim does not get: the account's own, and others' that it has not proved. */
  const refusedOf = (conflicts: Awaited<ReturnType<typeof conflictsOf>>, proved: ReadonlySet<string>) =>
    [...conflicts].flatMap(([name, { conflict }]) =>
      conflict === 'yours' || !proved.has(name) ? [[name, conflict] as const] : [],
    );

  async function proveNames(accountId: string, names: readonly string[]): Promise<ReadonlySet<string>> {
    const conflicts = await conflictsOf(db, accountId, names);
    const asked = names.filter((name) => (conflicts.get(name)?.conflict ?? 'yours') !== 'yours');
    const proved = new Set<string>();
    for (let start = 0; start < asked.length; start += LOOKS_AT_ONCE) {
      const part = asked.slice(start, start + LOOKS_AT_ONCE);
      const found = await Promise.all(part.map((name) => proof.hasTxtProof(accountId, name)));
      for (const [index, name] of part.entries()) if (found[index]) proved.add(name);
    }
    return proved;
  }

  return {
    proved: proveNames,
    async checkFree(claim) {
      const proved = await proveNames(claim.accountId, claim.names);
      const refused = refusedOf(await conflictsOf(db, claim.accountId, claim.names), proved);
      if (refused.length > 0) throw refuse(claim, refused);
    },
    async claimIn(executor, claim, proved) {
      const { accountId, names } = claim;
      // In one order for all, so that two who add many names do not wait for each other.
      for (const registrable of [...new Set(names.map(registrableName))].sort())
        await lockNamesBelow(executor, registrable);
      const conflicts = await conflictsOf(executor, accountId, names);
      const refused = refusedOf(conflicts, proved);
      if (refused.length > 0) throw refuse(claim, refused);
      await subscriptions.takeNames(executor, claim.subscriptionId, names.length);
      const taken: TakenName[] = [];
      for (const [name, { conflict, holder }] of conflicts) {
        if (conflict === 'taken' && holder) taken.push({ routeId: holder.route_id, name, cause: 'name_proved' });
        if (conflict !== 'spans') continue;
        // Exact names go before the wildcard: what is not proved would keep its names from their owner.
        for (const held of await unprovedBelow(executor, accountId, name))
          taken.push({ routeId: held.route_id, name: held.name, cause: 'wildcard_proved' });
      }
      await evict(executor, taken);
      const until = new Map<string, string | undefined>();
      for (const name of names) until.set(name, await releasedByOthers(executor, accountId, name, PROOF_DAYS));
      return until;
    },
    async refusal(executor, claim) {
      const taken = new Set((await findNames(executor, claim.names)).map(({ name }) => name));
      const name = claim.names.find((one) => taken.has(one)) ?? claim.names[0] ?? '';
      const holder = await findName(executor, name);
      return refuse(claim, [[name, holder?.account_id === claim.accountId ? 'yours' : 'taken']]);
    },
  };
}

import { randomBytes } from 'node:crypto';
import { type EdgeSettings, type EdgeShields, formatAddress, parseAddress, SHIELDS_MAX } from '@cordon/contract';
import type { NodeBan } from '@cordon/plugin-kit/server';
import { type Db, type Executor, uniqueViolation } from '../../platform/database.ts';
import { keepDeployment, readDeployment } from '../../platform/deployment.ts';
import { AppError } from '../../platform/errors.ts';
import { MACHINE_PREFIX, newCredential, type SecretBox, sha256 } from '../../platform/secrets.ts';
import { challengeKeys } from './challenge-keys.ts';
import type { NodePrincipal } from './node-principal.ts';
import * as repository from './repository.ts';
import * as shields from './shield-repository.ts';

export type { ClearStream, OpenClears, RecordClearReceipts } from './clear-stream.ts';
export { createFeedService, type FeedService } from './feed-service.ts';
export { isNodeLive } from './liveness-repository.ts';
export { createEdgeLookService, type EdgeLookService, type NodeLook } from './look-service.ts';
export type { PrefetchParts } from './prefetch-parts.ts';
export { findNodePrincipal, listAddresses, listNodes } from './repository.ts';
export { createEdgeTestService, type EdgeTestService } from './test-service.ts';

/** Purpose of the key of origin locks in `SecretBox.derive`; nodes get the key with their settings. */
export const ORIGIN_KEY_PURPOSE = 'origin-lock';

/** Key by which secrets of configurations are sealed for the nodes of a czone, which get it with their settings. */
export const secretKey = (secrets: SecretBox, czone: string): Buffer => secrets.derive(`plugin-secrets/${czone}`);

/** Key of the nodes of a czone by which they prove to each other what they are, where it has shields. */
export const shieldKey = (secrets: SecretBox, czone: string): Buffer => secrets.derive(`origin-shield/${czone}`);

/** Takes in clients that a node has banned from routes that it serves. */
export type RecordBans = (bans: readonly NodeBan[]) => Promise<void>;

/** A node cannot be added as asked; the message is for the operator. */
export class NodeRefused extends Error {
  override readonly name = 'NodeRefused';
}

export interface EdgeNodeService {
  /** What a node must know besides routes; the keys are made at first use and kept sealed. */
  getSettings(node: Pick<NodePrincipal, 'name' | 'czones'>): Promise<EdgeSettings>;
  previewKey(): Promise<Buffer>;
  /** Our identifier in the CDN-Loop header field (RFC 8586). */
  cdnLoopId(): Promise<string>;
  /** Identity of the database's history. */
  epoch(): Promise<string>;
  /** Throws GATEWAY_CONNECTION_ERROR while the czone has nodes and none of them is live. */
  requireReachable(czone: string): Promise<void>;
  /** Addresses of the nodes by czone. */
  addressesByCzone(): Promise<Record<string, string[]>>;
  /** Adds a node and answers its credential, which is kept nowhere in clear. Throws NodeRefused. */
  addNode(
    executor: Executor,
    node: { name: string; czones: readonly string[]; addresses: readonly string[] },
  ): Promise<{ id: string; credential: string }>;
  /** False when there is no such node. */
  revokeNode(executor: Executor, name: string): Promise<boolean>;
  /**
   * Gives a node other addresses, all at once: names answer with them from now on. Answers them in canonical form; throws
   * NodeRefused for none, for what is no address, and for a node that is not there or revoked.
   */
  setAddresses(executor: Executor, name: string, addresses: readonly string[]): Promise<string[]>;
  /**
   * Has the other nodes of a czone fetch through these, in place of those before; none: they ask origins themselves. Throws NodeRefused
   * for a czone that is not there, and for what is no node of it.
   */
  setShields(executor: Executor, czone: string, names: readonly string[]): Promise<void>;
  /** Names of the shields of each czone. */
  listShields(): Promise<readonly { czone: string; nodes: readonly string[] }[]>;
}

const KEY_BYTES = 32;

/** @param secrets Needed only for the keys of `getSettings` and `previewKey`. */
function readAddresses(given: readonly string[]): string[] {
  const addresses = given.map((text) => {
    const address = parseAddress(text);
    if (!address) throw new NodeRefused(`"${text}" is not an address.`);
    return formatAddress(address);
  });
  return [...new Set(addresses)];
}

export function createEdgeNodeService(
  db: Db,
  secrets: SecretBox | undefined,
  { recaptcha, ...brands }: Pick<EdgeSettings, 'default_brand' | 'brands' | 'recaptcha'>,
): EdgeNodeService {
  const keys = new Map<string, Buffer>();

  async function key(name: 'preview_key' | 'probe_key'): Promise<Buffer> {
    const known = keys.get(name);
    if (known) return known;
    if (!secrets) throw new Error('this process holds no secret key');
    const context = `deployment/${name}`;
    const sealed =
      (await readDeployment(db, name)) ??
      (await keepDeployment(db, name, secrets.seal(randomBytes(KEY_BYTES), context)));
    const value = secrets.open(sealed, context);
    keys.set(name, value);
    return value;
  }

  let epoch: string | undefined;
  const readEpoch = async () => {
    epoch ??= (await readDeployment(db, 'epoch'))?.toString();
    if (epoch === undefined) throw new Error('the deployment has no epoch');
    return epoch;
  };
  const cdnLoopId = async () => `cordon-${(await readEpoch()).slice(0, 8)}`;
  return {
    addressesByCzone: () => repository.addressesByCzone(db),
    async requireReachable(czone) {
      if (await repository.isUnreachable(db, czone)) throw new AppError('GATEWAY_CONNECTION_ERROR');
    },
    previewKey: () => key('preview_key'),
    epoch: readEpoch,
    cdnLoopId,
    async getSettings(node) {
      const { czones } = node;
      return {
        preview_key: (await key('preview_key')).toString('base64url'),
        probe_key: (await key('probe_key')).toString('base64url'),
        default_brand: brands.default_brand,
        brands: brands.brands,
        cdn_loop_id: await cdnLoopId(),
        ...(recaptcha ? { recaptcha } : {}),
        ...(secrets ? { challenge_keys: challengeKeys(secrets, Date.now()) } : {}),
        ...(secrets
          ? {
              secret_keys: Object.fromEntries(
                czones.map((czone) => [czone, secretKey(secrets, czone).toString('base64url')]),
              ),
            }
          : {}),
        ...(secrets ? { origin_key: secrets.derive(ORIGIN_KEY_PURPOSE).toString('base64url') } : {}),
        own_addresses: await repository.listAddresses(db),
        ...(secrets ? { shields: toShields(secrets, await shields.listShields(db, node)) } : {}),
      };
    },
    async addNode(executor, node) {
      if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(node.name))
        throw new NodeRefused(`"${node.name}" is not a name of lower-case letters, digits and hyphens.`);
      const known = await repository.listCzones(executor);
      const unknown = node.czones.filter((czone) => !known.includes(czone));
      if (unknown.length > 0 || node.czones.length === 0)
        throw new NodeRefused(`There is no czone "${unknown.join(', ')}"; there are ${known.join(', ')}.`);
      const addresses = readAddresses(node.addresses);
      const credential = newCredential(MACHINE_PREFIX);
      try {
        const id = await repository.insertNode(executor, {
          name: node.name,
          czones: [...node.czones],
          addresses,
          credentialHash: sha256(credential),
        });
        return { id, credential };
      } catch (error) {
        if (uniqueViolation(error) === 'edge_nodes_name')
          throw new NodeRefused(`There is a node named "${node.name}" already; revoke it first.`);
        throw error;
      }
    },
    async setAddresses(executor, name, given) {
      const addresses = readAddresses(given);
      if (addresses.length === 0) throw new NodeRefused('Give the node an address with --address.');
      if (!(await repository.setAddresses(executor, name, addresses)))
        throw new NodeRefused(`There is no node "${name}".`);
      return addresses;
    },
    revokeNode: repository.revokeNode,
    async setShields(executor, czone, given) {
      const known = await repository.listCzones(executor);
      if (!known.includes(czone)) throw new NodeRefused(`There is no czone "${czone}"; there are ${known.join(', ')}.`);
      const names = [...new Set(given)];
      if (names.length > SHIELDS_MAX) throw new NodeRefused(`A czone has ${SHIELDS_MAX} shields at most.`);
      const nodes = await shields.findNodesOf(executor, czone, names);
      const unknown = names.filter((name) => !nodes.some((node) => node.name === name));
      if (unknown.length > 0)
        throw new NodeRefused(`There is no node "${unknown.join(', ')}" of ${czone} that has an address.`);
      await shields.replaceShields(
        executor,
        czone,
        nodes.map(({ id }) => id),
      );
    },
    async listShields() {
      const names = await shields.namesOfShields(db);
      return (await repository.listCzones(db)).map((czone) => ({ czone, nodes: names[czone] ?? [] }));
    },
  };
}

function toShields(secrets: SecretBox, found: readonly shields.Shield[]): EdgeShields[] {
  const czones = [...new Set(found.map(({ czone }) => czone))];
  return czones.map((czone) => ({
    czone,
    key: shieldKey(secrets, czone).toString('base64url'),
    nodes: found.filter((shield) => shield.czone === czone).map(({ czone: _, ...node }) => node),
  }));
}

import { createHmac } from 'node:crypto';
import { type FieldErrorCode, type PluginEntry, SECRETS_MAX } from '@cordon/contract';
import { sealSecret } from '@cordon/plugin-kit/sealed-secret';
import { isSecretHandle } from '@cordon/plugin-kit/secret-handle';
import { findDefinition } from '@cordon/plugins/definitions';
import { z } from 'zod';
import { type Db, type Executor, runInTransaction } from '../../platform/database.ts';
import { fieldErrors } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { secretKey } from '../edge-nodes/service.ts';
import * as repository from './repository.ts';

/** A secret of a change, to be kept in the transaction that stores the change. */
export interface TakenSecret {
  readonly handle: string;
  /** Undefined: the change has its handle, and the account has the secret. */
  readonly sealed: Buffer | undefined;
  /** Of the request. */
  readonly path: string;
}

/** Entries from outside with handles in place of their secrets. */
export interface TakenPlugins {
  readonly plugins: PluginEntry[];
  readonly secrets: readonly TakenSecret[];
}

/** Secrets of plugins' configurations (docs/adr/0014): what is stored, compared, copied and answered has their handles. */
export interface PluginSecrets {
  /**
   * Takes the secrets out of what comes from outside; to be called before anything else is done with it. Writes nothing. What the
   * plugin's schema refuses stays, for the check that says so. Throws SECRET_UNKNOWN at each handle that the account does not have.
   * @param placeOf Path of an entry in the request; `plugins.<index>` unless given.
   */
  take(
    executor: Executor,
    accountId: string,
    plugins: readonly PluginEntry[],
    placeOf?: (index: number) => string,
  ): Promise<TakenPlugins>;
  /**
   * Keeps what was taken, in the caller's transaction, before the change is stored. Throws SECRETS_FULL where the account has too many,
   * SECRET_UNKNOWN at a handle whose secret was removed since.
   */
  keepIn(executor: Executor, accountId: string, taken: readonly TakenSecret[]): Promise<void>;
  /** Entries with their secrets in clear, for handlers that run here; an empty text in place of one that does not open. */
  open(executor: Executor, accountId: string, plugins: readonly PluginEntry[]): Promise<PluginEntry[]>;
  /** By handle, the secrets of some of an account's configurations as nodes of the czone get them; nothing of one that does not open. */
  sealFor(
    executor: Executor,
    accountId: string,
    czone: string,
    plugins: readonly PluginEntry[],
  ): Promise<ReadonlyMap<string, string>>;
  /** Removes what no draft, version, kept revision, rule and running batch has had for a week. */
  removeUnused(db: Db): Promise<void>;
}

/** Names of the fields of a plugin that hold a secret. */
const secretFields = (plugin: string): readonly string[] => findDefinition(plugin)?.secrets ?? [];

/** Whether the field of the plugin takes the secret. */
function takes(plugin: string, field: string, secret: string): boolean {
  const schema = findDefinition(plugin)?.schema;
  return schema instanceof z.ZodObject && (schema.shape[field] as z.ZodType).safeParse(secret).success;
}

/** Entries with their texts in fields for secrets changed; the others are the very same. */
function changeSecrets(
  plugins: readonly PluginEntry[],
  change: (text: string, place: { index: number; plugin: string; field: string }) => string,
): PluginEntry[] {
  return plugins.map((entry, index) => {
    const { name: plugin, config } = entry;
    const changed = secretFields(plugin).flatMap((field) => {
      const text = config[field];
      return typeof text === 'string' ? [[field, change(text, { index, plugin, field })] as const] : [];
    });
    return changed.length === 0 ? entry : { ...entry, config: { ...config, ...Object.fromEntries(changed) } };
  });
}

/** Handles in a configuration. */
function handlesIn(plugins: readonly PluginEntry[]): string[] {
  const handles = new Set<string>();
  changeSecrets(plugins, (text) => {
    if (isSecretHandle(text)) handles.add(text);
    return text;
  });
  return [...handles];
}

/** Whether any plugin has a secret. */
export const hasSecrets = (plugins: readonly PluginEntry[]): boolean => handlesIn(plugins).length > 0;

/** Throws at each handle that is not known. */
function requireKnown(shown: readonly TakenSecret[], known: ReadonlySet<string>): void {
  const unknown = shown.filter(({ handle }) => !known.has(handle));
  if (unknown.length > 0)
    throw fieldErrors(Object.fromEntries(unknown.map(({ path }) => [path, 'SECRET_UNKNOWN' as FieldErrorCode])));
}

export function createPluginSecrets(secrets: SecretBox): PluginSecrets {
  const handleKey = secrets.derive('plugin-secret-handles');
  // A secret that two accounts have must not look the same.
  const handleOf = (accountId: string, secret: string) =>
    `secret_${createHmac('sha256', handleKey).update(`${accountId} ${secret}`).digest().subarray(0, 16).toString('base64url')}`;
  const contextOf = (accountId: string, handle: string) => `plugin_secrets/${accountId}/${handle}`;

  async function openAll(
    executor: Executor,
    accountId: string,
    plugins: readonly PluginEntry[],
  ): Promise<ReadonlyMap<string, string>> {
    const handles = handlesIn(plugins);
    if (handles.length === 0) return new Map();
    const opened = new Map<string, string>();
    for (const { handle, sealed } of await repository.findSecrets(executor, accountId, handles)) {
      try {
        opened.set(handle, secrets.open(sealed, contextOf(accountId, handle)).toString());
      } catch {
        // Sealed with another CORDON_SECRET_KEY: what it protects is refused, the rest goes on.
      }
    }
    return opened;
  }

  return {
    async take(executor, accountId, plugins, placeOf = (index) => `plugins.${index}`) {
      const taken: TakenSecret[] = [];
      const changed = changeSecrets(plugins, (text, { index, plugin, field }) => {
        const path = `${placeOf(index)}.config.${field}`;
        if (isSecretHandle(text)) {
          taken.push({ handle: text, sealed: undefined, path });
          return text;
        }
        if (!takes(plugin, field, text)) return text;
        const handle = handleOf(accountId, text);
        taken.push({ handle, sealed: secrets.seal(text, contextOf(accountId, handle)), path });
        return handle;
      });
      const shown = taken.filter(({ sealed }) => !sealed);
      const handles = [...new Set(shown.map(({ handle }) => handle))];
      const rows = handles.length === 0 ? [] : await repository.findSecrets(executor, accountId, handles);
      requireKnown(shown, new Set(rows.map(({ handle }) => handle)));
      return { plugins: changed, secrets: taken };
    },
    async keepIn(executor, accountId, taken) {
      if (taken.length === 0) return;
      const handles = [...new Set(taken.map(({ handle }) => handle))];
      const held = await repository.holdSecrets(executor, accountId, handles);
      const added = taken.flatMap(({ handle, sealed, path }) =>
        sealed && !held.has(handle) ? [{ handle, sealed, path }] : [],
      );
      requireKnown(
        taken.filter(({ sealed }) => !sealed),
        held,
      );
      const first = added[0];
      if (first === undefined) return;
      await repository.insertSecrets(executor, accountId, added);
      if ((await repository.countSecrets(executor, accountId)) > SECRETS_MAX)
        throw fieldErrors({ [first.path]: 'SECRETS_FULL' }, { [first.path]: { maximum: SECRETS_MAX } });
    },
    async open(executor, accountId, plugins) {
      const opened = await openAll(executor, accountId, plugins);
      return changeSecrets(plugins, (text) => (isSecretHandle(text) ? (opened.get(text) ?? '') : text));
    },
    async sealFor(executor, accountId, czone, plugins) {
      const key = secretKey(secrets, czone);
      const opened = await openAll(executor, accountId, plugins);
      return new Map([...opened].map(([handle, secret]) => [handle, sealSecret(key, secret, { accountId, handle })]));
    },
    async removeUnused(db) {
      for (const accountId of await repository.accountsWithSecrets(db))
        await runInTransaction(db, (trx) => repository.removeUnused(trx, accountId));
    },
  };
}

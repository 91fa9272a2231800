import type { EdgeRoute, EdgeSettings } from '@cordon/contract/edge-config';
import { openSecret } from '@cordon/plugin-kit/sealed-secret';

type EdgePlugin = EdgeRoute['plugins'][number];
type SecretKeys = EdgeSettings['secret_keys'];

function openOne(route: EdgeRoute, handle: unknown, sealed: string, keys: SecretKeys): string | undefined {
  const key = keys?.[route.czone];
  if (key === undefined || typeof handle !== 'string') return undefined;
  return openSecret(Buffer.from(key, 'base64url'), sealed, { accountId: route.account_id, handle });
}

/**
 * The plugins of a route with their secrets in clear, as nginx gets them. In place of one that cannot be opened stands an empty
 * text: its plugin refuses what it protects.
 */
export const withSecrets = (route: EdgeRoute, keys: SecretKeys): EdgePlugin[] =>
  route.plugins.map(({ secrets, ...plugin }) => {
    if (secrets === undefined) return plugin;
    const opened = Object.entries(secrets).map(
      ([field, sealed]) => [field, openOne(route, plugin.config[field], sealed, keys) ?? ''] as const,
    );
    return { ...plugin, config: { ...plugin.config, ...Object.fromEntries(opened) } };
  });

/** Why a plugin of the route refuses everything; undefined: all secrets are open. */
export function secretFault(route: EdgeRoute, keys: SecretKeys): string | undefined {
  const closed = route.plugins.find(({ config, secrets = {} }) =>
    Object.entries(secrets).some(([field, sealed]) => openOne(route, config[field], sealed, keys) === undefined),
  );
  return closed && `a secret of ${closed.name} cannot be opened: what it protects is refused`;
}

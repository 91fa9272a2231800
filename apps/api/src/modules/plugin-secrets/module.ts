import type { ApiModule, Platform } from '../../platform/module.ts';
import { createPluginSecrets, type PluginSecrets } from './service.ts';

export interface PluginSecretsModule extends ApiModule {
  readonly pluginSecrets: PluginSecrets;
}

export function createPluginSecretsModule({ db, secrets }: Pick<Platform, 'db' | 'secrets'>): PluginSecretsModule {
  const pluginSecrets = createPluginSecrets(secrets);
  return {
    pluginSecrets,
    jobs: { 'purge-secrets': () => pluginSecrets.removeUnused(db) },
    recurring: [{ name: 'purge-secrets', pattern: '53 3 * * *' }],
  };
}

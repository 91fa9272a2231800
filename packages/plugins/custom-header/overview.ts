import { headerOverview } from '@cordon/plugin-kit/header-overview';
import type { PluginOverviewFacts } from '@cordon/plugin-kit/overview';
import type { CustomHeaderConfig } from './schema.ts';
import { suggestions } from './suggestions.ts';

export const overview = (facts: PluginOverviewFacts<CustomHeaderConfig>) =>
  headerOverview(facts, { suggestions, hidesSecrets: true });

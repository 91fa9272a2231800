import { headerOverview } from '@cordon/plugin-kit/header-overview';
import type { PluginOverviewFacts } from '@cordon/plugin-kit/overview';
import type { ResponseTransformerConfig } from './schema.ts';
import { suggestions } from './suggestions.ts';
import { warnOfTransportSecurity } from './transport-security.ts';

export const overview = (facts: PluginOverviewFacts<ResponseTransformerConfig>) =>
  headerOverview(facts, { suggestions, warn: warnOfTransportSecurity });

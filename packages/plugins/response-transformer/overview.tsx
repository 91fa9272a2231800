import { HeaderOverview } from '@cordon/plugin-kit/header-overview';
import type { PluginOverviewProps } from '@cordon/plugin-kit/overview';
import type { ResponseTransformerConfig } from './schema.ts';
import { suggestions } from './suggestions.ts';
import { warnOfTransportSecurity } from './transport-security.ts';

export default function ResponseTransformerOverview(props: PluginOverviewProps<ResponseTransformerConfig>) {
  return <HeaderOverview {...props} suggestions={suggestions} warn={warnOfTransportSecurity} />;
}

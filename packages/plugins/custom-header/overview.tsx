import { HeaderOverview } from '@cordon/plugin-kit/header-overview';
import type { PluginOverviewProps } from '@cordon/plugin-kit/overview';
import type { CustomHeaderConfig } from './schema.ts';
import { suggestions } from './suggestions.ts';

export default function CustomHeaderOverview(props: PluginOverviewProps<CustomHeaderConfig>) {
  return <HeaderOverview {...props} suggestions={suggestions} hidesSecrets />;
}

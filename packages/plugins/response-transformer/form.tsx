import type { PluginFormProps } from '@cordon/plugin-kit/form';
import { HeaderForm } from '@cordon/plugin-kit/header-form';
import type { ResponseTransformerConfig } from './schema.ts';
import { suggestions } from './suggestions.ts';
import { warnOfTransportSecurity } from './transport-security.ts';

export default function ResponseTransformerForm(props: PluginFormProps<ResponseTransformerConfig>) {
  return <HeaderForm {...props} suggestions={suggestions} warn={warnOfTransportSecurity} />;
}

import type { PluginFormProps } from '@cordon/plugin-kit/form';
import { HeaderForm } from '@cordon/plugin-kit/header-form';
import type { CustomHeaderConfig } from './schema.ts';
import { suggestions } from './suggestions.ts';

export default function CustomHeaderForm(props: PluginFormProps<CustomHeaderConfig>) {
  return <HeaderForm {...props} suggestions={suggestions} />;
}

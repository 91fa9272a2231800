import type { Route } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { areaOf } from '@cordon/plugins/areas';
import { useTranslations } from 'use-intl';
import { Link } from '../../ui/text-link';
import { Callout } from '../form/callout';
import { pluginName, usePluginWords } from '../words/plugin-words';
import { missingPlugin } from './missing-plugin';

/** That the plugin does nothing without another one that is switched off, where that is so, and the way to switch it on. */
export default function MissingLine({ route, definition }: { route: Route; definition: PluginDefinition }) {
  const t = useTranslations('domain.plugin');
  const words = usePluginWords();
  const missing = missingPlugin(route.draft, definition);
  if (missing === undefined || !words) return null;
  return (
    <Callout tone="warning" className="text-sm">
      {t.rich('needsBans', {
        name: pluginName(words(missing), missing),
        turnOn: (label) => (
          <Link
            to="/domain/list/$id"
            params={{ id: route.id }}
            search={{ tab: areaOf[missing], edit: missing }}
            className="reach"
          >
            {label}
          </Link>
        ),
      })}
    </Callout>
  );
}

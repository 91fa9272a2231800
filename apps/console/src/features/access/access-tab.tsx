import type { Route } from '@cordon/contract';
import { definitions } from '@cordon/plugins/definitions';
import { useTranslations } from 'use-intl';
import { type PluginCardActions, PluginCards } from '../../domain/plugins/plugin-cards';

const shown = definitions.filter((definition) => definition.area === 'access');

/** Who may come in: one card for each plugin of the area. */
export default function AccessTab({ route, ...actions }: { route: Route } & PluginCardActions) {
  const t = useTranslations('domain.access');
  return (
    <>
      <p className="mb-4 text-muted">{t('body')}</p>
      <PluginCards route={route} definitions={shown} {...actions} />
    </>
  );
}

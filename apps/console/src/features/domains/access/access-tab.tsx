import type { Route } from '@cordon/contract';
import { definitions } from '@cordon/plugins/definitions';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSubscriptions } from '../../../app/subscriptions';
import { Skeleton } from '../../../ui/states';
import { PluginCard } from '../plugins/plugin-card';
import { usePluginWords } from '../plugins/plugin-words';
import { pluginEffectsOptions } from '../queries';
import { useDomainActions } from '../status/use-domain-actions';

const PluginSheet = lazy(() => import('../plugins/plugin-sheet'));
const shown = definitions.filter((definition) => definition.area === 'access');

/** Who may come in: one card for each plugin of the area. */
export default function AccessTab({ route }: { route: Route }) {
  const t = useTranslations('domains.access');
  const words = usePluginWords();
  const { subscriptions } = useSubscriptions();
  const effects = useQuery(pluginEffectsOptions(route.id));
  const actions = useDomainActions();
  const [editing, setEditing] = useState<{ name: string; opened: number; isOpen: boolean }>();
  const edited = shown.find((definition) => definition.name === editing?.name);
  if (!words) return <Skeleton className="h-48 w-full" />;
  return (
    <>
      <p className="mb-4 text-muted">{t('body')}</p>
      <div className="grid gap-4 lg:grid-cols-2">
        {shown.map((definition) => (
          <PluginCard
            key={definition.name}
            route={route}
            definition={definition}
            words={words(definition.name)}
            subscription={subscriptions?.find((one) => one.cname === route.subscription_cname)}
            effect={effects.data && (effects.data.find((one) => one.plugin === definition.name)?.requests ?? 0)}
            onEdit={() =>
              setEditing((before) => ({ name: definition.name, opened: (before?.opened ?? 0) + 1, isOpen: true }))
            }
            onDeploy={() => actions.ask('deploy', route)}
          />
        ))}
      </div>
      {edited && editing && (
        <Suspense fallback={null}>
          <PluginSheet
            key={editing.opened}
            route={route}
            definition={edited}
            words={words(edited.name)}
            open={editing.isOpen}
            onOpenChange={(isOpen) => setEditing({ ...editing, isOpen })}
          />
        </Suspense>
      )}
      {actions.dialog}
    </>
  );
}

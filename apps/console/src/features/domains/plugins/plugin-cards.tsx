import type { Route } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useSubscriptions } from '../../../app/subscriptions';
import { Skeleton } from '../../../ui/states';
import { useCopyPlugin } from '../copies/use-copy-plugin';
import { pluginEffectsOptions } from '../queries';
import { useDomainActions } from '../status/use-domain-actions';
import { PluginCard } from './plugin-card';
import { pluginName, usePluginWords } from './plugin-words';

const PluginSheet = lazy(() => import('./plugin-sheet'));

/** One card for each of the plugins, and the sheet that edits one of them. */
export function PluginCards({ route, definitions }: { route: Route; definitions: readonly PluginDefinition[] }) {
  const words = usePluginWords();
  const { subscriptions } = useSubscriptions();
  const effects = useQuery(pluginEffectsOptions(route.id));
  const actions = useDomainActions();
  const copy = useCopyPlugin(route);
  const [editing, setEditing] = useState<{ name: string; opened: number; isOpen: boolean }>();
  const edited = definitions.find((definition) => definition.name === editing?.name);
  if (!words) return <Skeleton className="h-48 w-full" />;
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-2">
        {definitions.map((definition) => (
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
            onCopy={() => copy.ask(definition.name, pluginName(words(definition.name), definition.name))}
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
      {copy.dialog}
    </>
  );
}

import type { Route } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { useQuery } from '@tanstack/react-query';
import { memo, Suspense, useCallback, useEffect, useState } from 'react';
import { useSubscriptions } from '../../app/subscriptions';
import { lazyPart } from '../../ui/lazy-part';
import { pluginEffectsOptions } from '../data/queries';
import { PlanLimitLine } from '../form/upgrade-prompt';
import { isConfigured, isLocked } from '../model/plugin-state';
import { type PluginWords, pluginName, usePluginWords } from '../words/plugin-words';
import { CardsSkeleton } from './cards-skeleton';
import { PluginCard } from './plugin-card';
import type { PluginConfig } from './plugin-fields';
import { PluginOverviews } from './plugin-overviews';
import type { PluginProposal } from './plugin-proposal';

const loadSheet = () => import('./plugin-sheet');
const PluginSheet = lazyPart(loadSheet);

/** What other features do with a card's plugin; the route puts them together. */
export interface PluginCardActions {
  onDeploy: () => void;
  /** Brings the plugin's settings to other domains; `name` is what the customer calls it. */
  onCopy: (plugin: string, name: string) => void;
  /** Starts or ends what is on standby. */
  onStart?: (() => void) | undefined;
  /** Plugin whose form the address opens. */
  edited?: string | undefined;
  /** That form is closed. */
  onEditedClose?: (() => void) | undefined;
  /** What was proposed last elsewhere on the page; another object, though the same, opens the form again. */
  proposal?: PluginProposal | undefined;
}

interface Editing {
  name: string;
  opened: number;
  isOpen: boolean;
  proposal?: Omit<PluginProposal, 'plugin'> | undefined;
}

const NO_EFFECT = { requests: 0, challenged: 0, passed: null };

interface PluginListProps extends Pick<PluginCardActions, 'onDeploy' | 'onCopy' | 'onStart'> {
  route: Route;
  definitions: readonly PluginDefinition[];
  words: (plugin: string) => PluginWords;
  onEdit: (plugin: string, proposed?: PluginConfig) => void;
}

/** The rows. They are drawn anew when what they show changes, not when the sheet beside them opens or closes. */
const PluginList = memo(function PluginList({
  route,
  definitions,
  words,
  onEdit,
  onDeploy,
  onCopy,
  onStart,
}: PluginListProps) {
  const { subscriptions } = useSubscriptions();
  const effects = useQuery(pluginEffectsOptions(route.id));
  const subscription = subscriptions?.find((one) => one.cname === route.subscription_cname);
  const isShut = (definition: PluginDefinition) => isLocked(definition, subscription);
  const lacking = definitions.filter((definition) => isShut(definition) && !isConfigured(route, definition));
  // Of one, its row says it.
  const rows = lacking.length > 1 ? definitions.filter((definition) => !lacking.includes(definition)) : definitions;
  return (
    <div className="flex flex-col gap-4">
      <div className="divide-y divide-line rounded-card border border-line bg-card">
        {rows.map((definition) => (
          <PluginCard
            key={definition.name}
            route={route}
            definition={definition}
            definitions={definitions}
            words={words(definition.name)}
            subscription={subscription}
            effect={effects.data && (effects.data.find((one) => one.plugin === definition.name) ?? NO_EFFECT)}
            onEdit={(proposed) => onEdit(definition.name, proposed)}
            onDeploy={onDeploy}
            onCopy={() => onCopy(definition.name, pluginName(words(definition.name), definition.name))}
            onStart={onStart}
          />
        ))}
        {rows !== definitions && (
          <div className="px-4 py-3">
            <PlanLimitLine reason="PLUGIN_NEEDS_VIP" names={lacking.map(({ name }) => pluginName(words(name), name))} />
          </div>
        )}
      </div>
      {/* The plugins need not wait for what is shown below them. */}
      <Suspense fallback={<CardsSkeleton rows={4} />}>
        <PluginOverviews route={route} definitions={definitions} words={words} isLocked={isShut} onPropose={onEdit} />
      </Suspense>
    </div>
  );
});

/** One row for each of the plugins, always in the same order, and the sheet that edits one of them. */
export function PluginCards({
  route,
  definitions,
  edited: linked,
  onEditedClose,
  proposal,
  onDeploy,
  onCopy,
  onStart,
}: { route: Route; definitions: readonly PluginDefinition[] } & PluginCardActions) {
  const words = usePluginWords();
  const [editing, setEditing] = useState<Editing>();
  const [followed, setFollowed] = useState<string>();
  if (linked !== followed) {
    setFollowed(linked);
    setEditing((before) =>
      linked === undefined
        ? before && { ...before, isOpen: before.isOpen && before.name !== followed }
        : { name: linked, opened: (before?.opened ?? 0) + 1, isOpen: true },
    );
  }
  const [proposed, setProposed] = useState(proposal);
  if (proposal !== proposed) {
    setProposed(proposal);
    if (proposal) {
      setEditing((before) => ({ name: proposal.plugin, opened: (before?.opened ?? 0) + 1, isOpen: true, proposal }));
    }
  }
  const edit = useCallback(
    (name: string, config?: PluginConfig) =>
      setEditing((before) => ({
        ...{ name, opened: (before?.opened ?? 0) + 1, isOpen: true },
        proposal: config && { config },
      })),
    [],
  );
  // It opens at once, with its title, and only the form is waited for. What fails here is said when it is opened.
  useEffect(() => void loadSheet().catch(() => undefined), []);
  const edited = definitions.find((definition) => definition.name === editing?.name);
  if (!words) return <CardsSkeleton rows={definitions.length} />;
  return (
    <Suspense fallback={<CardsSkeleton rows={definitions.length} />}>
      <PluginList
        route={route}
        definitions={definitions}
        words={words}
        onEdit={edit}
        onDeploy={onDeploy}
        onCopy={onCopy}
        onStart={onStart}
      />
      {edited && editing && (
        <Suspense fallback={null}>
          <PluginSheet
            key={editing.opened}
            route={route}
            definition={edited}
            definitions={definitions}
            words={words(edited.name)}
            proposed={editing.proposal?.config}
            unfinished={editing.proposal?.open}
            focusAfter={editing.proposal?.focusAfter}
            open={editing.isOpen}
            onOpenChange={(isOpen) => {
              setEditing({ ...editing, isOpen });
              if (!isOpen && linked !== undefined) onEditedClose?.();
            }}
          />
        </Suspense>
      )}
    </Suspense>
  );
}

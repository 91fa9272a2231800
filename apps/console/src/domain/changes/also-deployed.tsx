import { type ConfigChange, changedSettings, diffConfigs, type Route } from '@cordon/contract';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Callout } from '../form/callout';
import { isOperationRunning } from '../model/domain-state';
import { useChangedNames } from './changed-names';
import { pluginDefaults } from './plugin-defaults';

/**
 * What "Save and deploy" would do besides saving, or why it cannot; undefined where it does nothing else. `waiting`: changes in
 * the draft, where those of the form itself are not meant.
 */
export function useAlsoDeployed(): (route: Route, waiting?: readonly ConfigChange[]) => string | undefined {
  const t = useTranslations('domain.save');
  const namesOf = useChangedNames();
  return (route, waiting = diffConfigs(route.live, route.draft, pluginDefaults)) => {
    if (route.status === 'deleted') return undefined;
    if (route.suspension !== null) return t('suspended');
    if (isOperationRunning(route)) return t('busy');
    if (route.last_deployed === null) return t('goesLive');
    if (route.status === 'deactivated') return t('comesBack');
    const settings = changedSettings(waiting);
    return settings.length > 0
      ? t('alsoDeploys', { count: settings.length, names: namesOf(settings).join(' · ') })
      : undefined;
  };
}

/** That, above the buttons of a sheet: as loud as what it does to visitors. */
export function AlsoDeployed({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <Callout tone="warning" className="w-full text-sm phone:flex-none!">
      {children}
    </Callout>
  );
}

import { EDGE_REASONS } from '@cordon/contract';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { usePluginWords } from '../domain/words/plugin-words';
import { FirstSteps } from '../features/domains/overview/first-steps';
import { DashboardScreen as Dashboard } from '../features/traffic/dashboard-screen';

const route = getRouteApi('/shell/dashboard');
type EdgeReason = (typeof EDGE_REASONS)[number];
const isEdgeReason = (reason: string): reason is EdgeReason => (EDGE_REASONS as readonly string[]).includes(reason);

/** Overview of the account; the URL holds the range and the domain. */
export function DashboardScreen() {
  const t = useTranslations('traffic');
  const words = usePluginWords();
  const { range = '15m', domain } = route.useSearch();
  const navigate = route.useNavigate();
  const reasonText = (plugin: string, reason: string) => {
    if (plugin === '') return { reason: isEdgeReason(reason) ? t(`reasons.edge.${reason}`) : reason };
    const own = words?.(plugin);
    return own ? { plugin: own('name'), reason: own(`reasons.${reason}`) } : { plugin, reason };
  };
  return (
    <Dashboard
      search={{ range, domain }}
      onSearchChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
      reasonText={reasonText}
      firstSteps={<FirstSteps />}
    />
  );
}

import { EDGE_REASONS } from '@cordon/contract';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { usePluginWords } from '../domain/words/plugin-words';
import { DashboardScreen as Dashboard } from '../features/traffic/dashboard-screen';

const route = getRouteApi('/shell/dashboard');
type EdgeReason = (typeof EDGE_REASONS)[number];
const isEdgeReason = (reason: string): reason is EdgeReason => (EDGE_REASONS as readonly string[]).includes(reason);

/** Overview of the account's traffic; the URL holds the range. */
export function DashboardScreen() {
  const t = useTranslations('traffic');
  const words = usePluginWords();
  const { range = '15m' } = route.useSearch();
  const navigate = route.useNavigate();
  const reasonText = (plugin: string, reason: string) => {
    if (plugin === '') return { reason: isEdgeReason(reason) ? t(`reasons.edge.${reason}`) : reason };
    const own = words?.(plugin);
    return own ? { plugin: own('name'), reason: own(`reasons.${reason}`) } : { plugin, reason };
  };
  return (
    <Dashboard
      range={range}
      onRangeChange={(next) => void navigate({ search: { range: next }, replace: true })}
      reasonText={reasonText}
    />
  );
}

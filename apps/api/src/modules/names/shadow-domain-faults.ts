import { type FieldErrorCode, isWildcardName, type RouteConfig } from '@cordon/contract';
import { answersFor, candidateNames } from '@cordon/contract/host-name';
import { visitorTargets } from '../routes/service.ts';
import type { NameRules } from './name-rules.ts';

/** Whether visitors of the host would come to the domain by the name. */
const covers = (name: string, host: string, levels: RouteConfig['wildcard_levels']) =>
  candidateNames(host).includes(name) && answersFor(name, host, levels);

/** Where the domain sends requests: a shadow domain among it would make them come back. */
function hostsOf(config: RouteConfig | null): { redirects: string[]; upstreams: string[] } {
  if (config === null) return { redirects: [], upstreams: [] };
  return {
    redirects: visitorTargets(config).map(({ url }) => new URL(url).hostname.replace(/\.$/, '')),
    upstreams: config.traffic_action === 'upstream' ? config.upstreams.targets.map(({ host }) => host) : [],
  };
}

/** What a shadow domain is judged by, besides who else has the name. */
export interface ShadowDomainSetting {
  readonly mainName: string;
  /** What the domain serves, or will. */
  readonly configs: readonly (RouteConfig | null)[];
  readonly canHaveWildcards: boolean;
}

/** Why a name may not be a shadow domain of the domain, apart from claims of other accounts; undefined when it may. */
export function shadowDomainFaultOf(
  rules: NameRules,
  name: string,
  setting: ShadowDomainSetting,
): FieldErrorCode | undefined {
  if (name === setting.mainName) return 'SHADOW_IS_MAIN';
  const fault = rules.faultOf(name);
  if (fault !== undefined) return fault;
  if (isWildcardName(name) && !setting.canHaveWildcards) return 'WILDCARD_NEEDS_VIP';
  for (const config of setting.configs) {
    const hosts = hostsOf(config);
    const isCovered = (host: string) => covers(name, host, config?.wildcard_levels);
    if (hosts.redirects.some(isCovered)) return 'REDIRECT_LOOP';
    if (hosts.upstreams.some(isCovered)) return 'UPSTREAM_LOOP';
  }
  return undefined;
}

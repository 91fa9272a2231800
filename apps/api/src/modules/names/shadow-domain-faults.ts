import { type FieldErrorCode, isWildcardName, type RouteConfig } from '@cordon/contract';
import { visitorTargets } from '../routes/service.ts';
import { bareName, type NameRules } from './name-rules.ts';

/** Whether visitors of the host would come to the name: it itself, or below it where it is a wildcard. */
const covers = (name: string, host: string) =>
  isWildcardName(name) ? host.endsWith(`.${bareName(name)}`) : host === name;

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
    if (hosts.redirects.some((host) => covers(name, host))) return 'REDIRECT_LOOP';
    if (hosts.upstreams.some((host) => covers(name, host))) return 'UPSTREAM_LOOP';
  }
  return undefined;
}

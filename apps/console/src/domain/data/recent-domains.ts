import { forgetRecent, recents, rememberRecent } from '../../app/recents';

/** A domain that was opened on this device, as far as it is needed to find it again. */
export interface RecentDomain {
  readonly id: string;
  readonly name: string;
  readonly unicode: string;
}

export const recentDomains = (): readonly RecentDomain[] => recents<RecentDomain>();

export const rememberDomain = (route: { id: string; domain_name: string; domain_name_unicode: string }): void =>
  rememberRecent<RecentDomain>({ id: route.id, name: route.domain_name, unicode: route.domain_name_unicode });

export const forgetDomain = (id: string): void => forgetRecent(id);

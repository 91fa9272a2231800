/**
 * What a customer may expect of domains, shadow domains, pauses, versions, groups and rules (spec section 4,
 * security design "Names"), as small as it can be written. The property-based test plays the same calls at the API and here.
 */
export interface ModelName {
  readonly name: string;
  verified: boolean;
  /** It was proved by another account shortly before: pointing here is not enough. */
  needsTxt: boolean;
}

export interface ModelRoute {
  readonly account: number;
  id: string;
  cname: string;
  status: 'running' | 'deactivated';
  main: ModelName;
  shadowDomains: ModelName[];
  draftRevision: number;
  /** Of each version, the first at index 0: names, and what it refuses. */
  versions: { readonly names: string[]; readonly deny: string | null }[];
  isPaused: boolean;
  group: string;
  /** The address that the draft refuses. */
  deny: string | null;
  /** Names of the rules that it has got. */
  rules: string[];
}

/** A group of domains, or a rule that refuses an address. */
export interface ModelGroup {
  readonly account: number;
  readonly name: string;
  id: string;
}
export interface ModelRule extends ModelGroup {
  readonly deny: string;
}

/** Every account has it, and keeps it. */
export const DEFAULT_GROUP = 'Default';

export interface ModelAccount {
  readonly quota: number;
  readonly hasWildcards: boolean;
}

export type Outcome = { readonly ok: true } | { readonly ok: false; readonly status: number; readonly code: string };
const ok: Outcome = { ok: true };
const refused = (status: number, code: string): Outcome => ({ ok: false, status, code });

/** Names are labels below one parent; the wildcard covers all others. */
const isWildcard = (name: string) => name === '*';
const covers = (wildcard: string, name: string) => isWildcard(wildcard) && name !== wildcard;

export class DomainModel {
  routes: ModelRoute[] = [];
  groups: ModelGroup[];
  rules: ModelRule[] = [];
  /** Whose TXT record stands, by name. */
  readonly txt = new Map<string, number>();
  /** Where names point, as exclusive CNAMEs. */
  readonly pointsTo = new Map<string, string>();
  /** Proved names that an account gave up. */
  readonly released: { name: string; account: number }[] = [];

  constructor(readonly accounts: readonly ModelAccount[]) {
    this.groups = accounts.map((_, account) => ({ account, name: DEFAULT_GROUP, id: '' }));
  }

  namesOf = (route: ModelRoute): ModelName[] => [route.main, ...route.shadowDomains];
  used = (account: number): number =>
    this.routes
      .filter((route) => route.account === account)
      .reduce((sum, route) => sum + 1 + route.shadowDomains.length, 0);

  #holder(name: string): ModelRoute | undefined {
    return this.routes.find((route) => this.namesOf(route).some((one) => one.name === name));
  }

  #conflict(account: number, name: string): 'yours' | 'taken' | 'spans' | undefined {
    const holder = this.#holder(name);
    if (holder) return holder.account === account ? 'yours' : 'taken';
    const others = this.routes.filter((route) => route.account !== account).flatMap(this.namesOf);
    return others.some((other) => covers(other.name, name) || covers(name, other.name)) ? 'spans' : undefined;
  }

  #free(route: ModelRoute, names: readonly ModelName[]): void {
    for (const { name, verified } of names) if (verified) this.released.push({ name, account: route.account });
  }

  /** Another account has proved the name: a shadow domain leaves alone, a main name takes its whole route along. */
  #evict(name: string): void {
    const holder = this.#holder(name);
    if (!holder) return;
    if (holder.main.name === name) {
      this.#free(holder, holder.shadowDomains);
      this.routes = this.routes.filter((route) => route !== holder);
    } else holder.shadowDomains = holder.shadowDomains.filter((shadowDomain) => shadowDomain.name !== name);
  }

  /** Takes names for an account, or says why not; evicts who had them. */
  #claim(account: number, names: readonly string[]): Outcome {
    for (const name of names) {
      const conflict = this.#conflict(account, name);
      if (conflict === 'yours') return refused(422, 'DOMAIN_NAME_YOURS');
      if (conflict !== undefined && this.txt.get(name) !== account)
        return refused(422, conflict === 'taken' ? 'DOMAIN_NAME_TAKEN' : 'WILDCARD_SPANS_OTHERS');
    }
    if (this.used(account) + names.length > (this.accounts[account]?.quota ?? 0)) return refused(403, 'QUOTA_REACHED');
    const conflicts = names.map((name) => this.#conflict(account, name));
    for (const [index, name] of names.entries()) {
      if (conflicts[index] === 'taken') this.#evict(name);
      if (conflicts[index] !== 'spans') continue;
      const below = this.routes
        .filter((route) => route.account !== account)
        .flatMap(this.namesOf)
        .filter((one) => covers(name, one.name) && !one.verified);
      for (const one of below) this.#evict(one.name);
    }
    return ok;
  }

  #newName = (account: number, name: string): ModelName => ({
    name,
    verified: false,
    needsTxt: this.released.some((one) => one.name === name && one.account !== account),
  });

  create(account: number, name: string, deploy: boolean): Outcome {
    if (isWildcard(name) && !this.accounts[account]?.hasWildcards) return refused(422, 'WILDCARD_NEEDS_VIP');
    const claimed = this.#claim(account, [name]);
    if (!claimed.ok) return claimed;
    this.routes.push({
      account,
      id: '',
      cname: '',
      status: deploy ? 'running' : 'deactivated',
      main: this.#newName(account, name),
      shadowDomains: [],
      draftRevision: 1,
      versions: deploy ? [{ names: [name], deny: null }] : [],
      isPaused: false,
      group: DEFAULT_GROUP,
      deny: null,
      rules: [],
    });
    return ok;
  }

  addShadowDomains(route: ModelRoute, names: readonly string[]): Outcome {
    if (route.versions.length === 0) return refused(409, 'DOMAIN_NOT_DEPLOYED');
    for (const name of names) {
      if (name === route.main.name) return refused(422, 'SHADOW_IS_MAIN');
      if (isWildcard(name) && !this.accounts[route.account]?.hasWildcards) return refused(422, 'WILDCARD_NEEDS_VIP');
    }
    const claimed = this.#claim(route.account, names);
    if (claimed.ok) route.shadowDomains.push(...names.map((name) => this.#newName(route.account, name)));
    return claimed;
  }

  removeShadowDomain(route: ModelRoute, name: string): Outcome {
    const shadowDomain = route.shadowDomains.find((one) => one.name === name);
    if (!shadowDomain) return refused(404, 'NOT_FOUND');
    this.#free(route, [shadowDomain]);
    route.shadowDomains = route.shadowDomains.filter((one) => one !== shadowDomain);
    return ok;
  }

  /** What a look at DNS does. */
  look(route: ModelRoute, name: ModelName): void {
    const isPointing = this.pointsTo.get(name.name) === route.cname;
    if (isPointing && (!name.needsTxt || this.txt.get(name.name) === route.account)) name.verified = true;
  }

  promote(route: ModelRoute, name: string): Outcome {
    const shadowDomain = route.shadowDomains.find((one) => one.name === name);
    if (!shadowDomain) return refused(404, 'NOT_FOUND');
    if (isWildcard(name)) return refused(422, 'SHADOW_IS_WILDCARD');
    this.look(route, shadowDomain);
    if (!shadowDomain.verified) return refused(422, 'SHADOW_NOT_VERIFIED');
    route.shadowDomains = [...route.shadowDomains.filter((one) => one !== shadowDomain), route.main];
    route.main = shadowDomain;
    return ok;
  }

  /** A draft that was changed since it was read is not written over; one that says what it said keeps its revision. */
  edit(route: ModelRoute, revision: number, deny: string, deploys: boolean): Outcome {
    if (revision !== route.draftRevision) return refused(409, 'STALE_REVISION');
    if (route.deny !== deny) route.draftRevision += 1;
    route.deny = deny;
    return deploys ? this.deploy(route) : ok;
  }

  deploy(route: ModelRoute): Outcome {
    route.status = 'running';
    route.versions.push({ names: this.namesOf(route).map(({ name }) => name), deny: route.deny });
    return ok;
  }

  rollBack(route: ModelRoute, version: number, acceptsGone: boolean): Outcome {
    const then = route.versions[version - 1];
    if (!then) return refused(404, 'NOT_FOUND');
    const now = this.namesOf(route).map(({ name }) => name);
    if (!acceptsGone && then.names.some((name) => !now.includes(name))) return refused(409, 'VERSION_PARTS_GONE');
    route.deny = then.deny;
    return this.deploy(route);
  }

  deactivate(route: ModelRoute): Outcome {
    if (route.status !== 'running') return refused(409, 'DOMAIN_STATE_FORBIDS');
    route.status = 'deactivated';
    route.isPaused = false;
    return ok;
  }

  resume(route: ModelRoute): Outcome {
    if (route.versions.length === 0) return refused(409, 'DOMAIN_NOT_DEPLOYED');
    if (route.status !== 'deactivated') return refused(409, 'DOMAIN_STATE_FORBIDS');
    route.status = 'running';
    return ok;
  }

  pause(route: ModelRoute): Outcome {
    if (route.status !== 'running') return refused(409, 'DOMAIN_STATE_FORBIDS');
    route.isPaused = true;
    return ok;
  }

  endPause(route: ModelRoute): Outcome {
    if (!route.isPaused) return refused(409, 'DOMAIN_STATE_FORBIDS');
    route.isPaused = false;
    return ok;
  }

  createGroup(account: number, name: string): Outcome {
    const isTaken = (group: ModelGroup) => group.account === account && group.name.toLowerCase() === name.toLowerCase();
    if (this.groups.some(isTaken)) return refused(422, 'GROUP_NAME_TAKEN');
    this.groups.push({ account, name, id: '' });
    return ok;
  }

  moveToGroup(route: ModelRoute, group: ModelGroup): Outcome {
    if (group.account !== route.account) return refused(404, 'NOT_FOUND');
    if (route.group === group.name) return refused(422, 'SELECTION_UNCHANGED');
    route.group = group.name;
    return ok;
  }

  removeGroup(account: number, group: ModelGroup): Outcome {
    if (group.account !== account) return refused(404, 'NOT_FOUND');
    if (group.name === DEFAULT_GROUP) return refused(409, 'GROUP_IS_DEFAULT');
    this.groups = this.groups.filter((one) => one !== group);
    for (const route of this.routes)
      if (route.account === account && route.group === group.name) route.group = DEFAULT_GROUP;
    return ok;
  }

  createRule(account: number, name: string, deny: string): Outcome {
    if (this.rules.some((one) => one.account === account && one.name === name)) return refused(422, 'RULE_NAME_TAKEN');
    this.rules.push({ account, name, deny, id: '' });
    return ok;
  }

  /** A domain that was deactivated is not deployed by it. */
  applyRule(rule: ModelRule, route: ModelRoute, deploys: boolean): Outcome {
    if (rule.account !== route.account) return refused(422, 'DOMAIN_UNKNOWN');
    if (route.deny !== rule.deny) route.draftRevision += 1;
    route.deny = rule.deny;
    if (!route.rules.includes(rule.name)) route.rules.push(rule.name);
    const isNew = route.versions.at(-1)?.deny !== rule.deny;
    return deploys && route.status === 'running' && isNew ? this.deploy(route) : ok;
  }

  /** Domains that got it stay as they are. */
  removeRule(account: number, rule: ModelRule): Outcome {
    if (rule.account !== account) return refused(404, 'NOT_FOUND');
    this.rules = this.rules.filter((one) => one !== rule);
    for (const route of this.routes)
      if (route.account === account) route.rules = route.rules.filter((name) => name !== rule.name);
    return ok;
  }

  remove(route: ModelRoute): Outcome {
    this.#free(route, this.namesOf(route));
    this.routes = this.routes.filter((one) => one !== route);
    return ok;
  }
}

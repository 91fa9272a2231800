/* Without zod: the console's lists are made from these. */

/** Lines are kept this long, in days. */
export const AUDIT_RETENTION_DAYS = 365;
/** The list and its `count` go no further than so many matches, the newest; older ones are reached by `to`. */
export const AUDIT_LIST_MAX = 10_000;
/** Lines of one CSV file, the newest. */
export const AUDIT_EXPORT_MAX = 100_000;

/** What the control plane itself writes down of accounts. Plugins add `<plugin>.<verb>`. */
export const AUDIT_ACTIONS = [
  'route.create',
  'route.update',
  'route.draft_discard',
  'route.deploy',
  'route.roll_back',
  'route.deactivate',
  'route.resume',
  'route.delete',
  'route.move_group',
  'route.pause',
  'route.pause_end',
  'route.ssl_update',
  'route.cache_clear',
  'route.cache_fetch',
  'route.prefetch',
  'route.prefetch_cancel',
  'route.prefetch_list',
  'route.development_start',
  'route.development_end',
  'route.shadow_add',
  'route.shadow_remove',
  'route.shadow_promote',
  'route.shadow_name_moved',
  'route.name_moved',
  'route.origin_lock.enable',
  'route.origin_lock.prepare',
  'route.origin_lock.cancel',
  'route.origin_lock.switch',
  'route.origin_lock.disable',
  'route.origin_lock.reveal',
  'group.create',
  'group.rename',
  'group.delete',
  'task.schedule',
  'task.run',
  'task.end',
  'task.leave',
  'task.cancel',
  'rule.create',
  'rule.update',
  'rule.delete',
  'rule.apply',
  'subscription.ipv6_enable',
  'account.create',
  'user.sign_in',
  'user.sign_in_failed',
  'user.sign_out',
  'user.update',
  'user.password_change',
  'token.create',
  'token.rename',
  'token.revoke',
  'operator.account_create',
  'operator.token',
  'operator.suspend_account',
  'operator.unsuspend_account',
  'operator.suspend_route',
  'operator.unsuspend_route',
  'operator.verify_name',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Settings whose value before and after is written down, and those that `changed` names; `plugins.<name>` beside them. */
export const AUDIT_FIELDS = [
  'traffic_action',
  'redirects_to',
  'wildcard_levels',
  'upstreams.protocol',
  'upstreams.targets',
  'upstreams.connection_limit',
  'upstreams.tls_verification',
  'upstreams.tls_ca',
  'force_https',
  'hsts',
  'remarks',
  'group',
  'name',
  'description',
  'lists',
  'locale',
  'time_zone',
  'ipv6',
] as const;
export type AuditField = (typeof AUDIT_FIELDS)[number];

/** What else is written down of an action. The name of its object is `domain_name` or `name`. */
export const AUDIT_DETAILS = [
  'changed',
  'version',
  'note',
  'rolled_back_to',
  'cloned_from',
  'names',
  'name',
  // Of lines without a cause, whose place it had.
  'why',
  'minutes',
  'until',
  'domains',
  'cause',
  'scopes',
  'expires_at',
  'networks',
  'count',
  'seconds',
  'cleared',
  'soft',
  'entries',
  'values',
  'url',
  'node',
  'refresh',
  'after_deploy',
  'at',
  'task',
  'failed',
] as const;
export type AuditDetail = (typeof AUDIT_DETAILS)[number];
export type AuditDetails = { readonly [Detail in AuditDetail | 'domain_name']?: unknown };

export const AUDIT_ACTOR_KINDS = ['user', 'token', 'operator', 'system'] as const;

/** How often an operation may be called, or how many items its calls may bring. Operations with the same rate share one bucket. */
export interface Rate {
  /** Of the bucket, unique. */
  readonly name: string;
  /** Calls or items at once. */
  readonly burst: number;
  /** Calls or items that the bucket gets back in a minute. */
  readonly perMinute: number;
  /** Tokens of the provider's staff are not limited. */
  readonly exemptsOperators?: true;
}

/** Far beyond what people do, and enough for a script that sets up hundreds of domains. */
export const rates = {
  /** Name, language and time zone of the person. */
  profileWrites: { name: 'profile-writes', burst: 60, perMinute: 30 },
  /** Of API tokens, which people make by hand. */
  tokenWrites: { name: 'token-writes', burst: 60, perMinute: 20 },
  /** Each change is kept as a draft, a version or an operation, and sent to nodes. */
  domainWrites: { name: 'domain-writes', burst: 600, perMinute: 300, exemptsOperators: true },
  /** Networks: each is a row for nodes, and one more for what was lifted. */
  banChanges: { name: 'ban-changes', burst: 10_000, perMinute: 5_000, exemptsOperators: true },
  /** Entries of the allow list: a whole one at once, and each is a row for nodes. */
  allowListChanges: { name: 'allow-list-changes', burst: 200_000, perMinute: 20_000, exemptsOperators: true },
  /** Each may be of a whole list, of bans or the allow list. */
  listRemovals: { name: 'list-removals', burst: 60, perMinute: 20, exemptsOperators: true },
  /** DNS checks on demand; the periodic checks do not count. */
  ownershipChecks: { name: 'ownership-checks', burst: 60, perMinute: 30 },
  /** Each change may ask DNS for every name and is sent to all nodes. */
  shadowDomainWrites: { name: 'shadow-domain-writes', burst: 120, perMinute: 60 },
  shadowDomainChecks: { name: 'shadow-domain-checks', burst: 60, perMinute: 30 },
  /** A thousand names each. */
  findDomains: { name: 'find-domains', burst: 60, perMinute: 30 },
  /** Each is sent to all nodes at once. */
  cacheClears: { name: 'cache-clears', burst: 240, perMinute: 120, exemptsOperators: true },
  /** URLs, prefixes and tags of them: 5,000 an hour. */
  cacheClearValues: { name: 'cache-clear-values', burst: 5_000, perMinute: 84, exemptsOperators: true },
  /** Each has all nodes ask origins, up to 10,000 times; the lists that are fetched after deploys among them. */
  prefetches: { name: 'prefetches', burst: 30, perMinute: 10, exemptsOperators: true },
  /** Each is sent to all nodes. */
  pauses: { name: 'pauses', burst: 120, perMinute: 60 },
  domainPreviews: { name: 'domain-previews', burst: 120, perMinute: 60 },
  /** Each parses up to some dozens of certificates. */
  certificateReads: { name: 'certificate-reads', burst: 120, perMinute: 60 },
  groupWrites: { name: 'group-writes', burst: 200, perMinute: 60 },
  bulkStarts: { name: 'bulk-starts', burst: 60, perMinute: 30 },
  /** Each reads the whole selection. */
  bulkPreviews: { name: 'bulk-previews', burst: 120, perMinute: 60 },
  exports: { name: 'exports', burst: 20, perMinute: 10 },
  /** A preview may look at thousands of names. */
  importPreviews: { name: 'import-previews', burst: 20, perMinute: 20 },
  imports: { name: 'imports', burst: 10, perMinute: 5 },
  ruleWrites: { name: 'rule-writes', burst: 300, perMinute: 120 },
  /** Each asks DNS for the targets of up to a hundred domains. */
  rulePreviews: { name: 'rule-previews', burst: 60, perMinute: 60 },
  copyWrites: { name: 'copy-writes', burst: 300, perMinute: 120 },
  /** As `rulePreviews`. */
  copyPreviews: { name: 'copy-previews', burst: 60, perMinute: 60 },
  /** Each asks DNS, nodes and origins some dozens of questions. */
  diagnoses: { name: 'diagnoses', burst: 20, perMinute: 10 },
  /** Each sends up to some thousands of requests through a node. */
  testAttacks: { name: 'test-attacks', burst: 6, perMinute: 3 },
  traces: { name: 'traces', burst: 120, perMinute: 60 },
  /** Each asks all nodes of a domain. */
  cacheTries: { name: 'cache-tries', burst: 120, perMinute: 60 },
  /** Each asks an origin, and has a node wait for it. */
  cacheFetches: { name: 'cache-fetches', burst: 20, perMinute: 10 },
  /** Each reads up to 10,000 requests; a console asks while settings are typed. */
  replays: { name: 'replays', burst: 120, perMinute: 60 },
} as const satisfies Record<string, Rate>;

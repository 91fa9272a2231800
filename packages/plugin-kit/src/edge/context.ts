import type { Address } from '@cordon/contract/address';
import type { AddressSet } from '@cordon/contract/address-set';
import type { PossibleValues } from './named-values.ts';
import type { Pattern } from './pattern.ts';
import type { CacheBypass, CacheKeyRules, CachePolicy, QueryKey, RouteCache } from './shared-cache/types.ts';

export type { Address, AddressSet, CacheBypass, CacheKeyRules, CachePolicy, Pattern, PossibleValues, RouteCache };

/**
 * What a plugin sees at the edge. The same handler runs in Node (tests, request trace, replay) and, emitted as Lua,
 * inside nginx; so a handler touches nothing but these types, and this file holds types only.
 *
 * Rules for `edge.ts`: only `import type`, no `any`, no RegExp, no `JSON`, no exceptions, no state outside of
 * `prepare`'s result. `0` and `''` are true in Lua: compare explicitly.
 */

/** The published or DNS-verified owner of a crawler's address. */
export type CrawlerName = string;

/** The visitor's request, as far as plugins may know it. */
export interface EdgeRequest {
  readonly method: string;
  readonly scheme: 'http' | 'https';
  readonly host: string;
  /**
   * Path without query as nginx makes it: escapes decoded, slashes in a row merged, `.` and `..` resolved; always begins
   * with `/`. May hold any byte but NUL (in Node, see byte-text.ts). Because most origins take `//login` for `/login`, rules
   * are about this, and, where origins do not agree, about all of `EdgeContext.pathReadings`.
   */
  readonly path: string;
  /**
   * The same as the visitor sent it and as the origin gets it, nothing decoded or merged: what a new address may be
   * composed of, and what distinguishes requests that an origin may answer differently, as in the key of a cache.
   */
  readonly rawPath: string;
  /** Query without `?`; empty string when there is none. */
  readonly query: string;
  readonly clientAddress: Address;
  /** Canonical text of the client's address. */
  readonly clientAddressText: string;
  /** ISO 3166-1 alpha-2, or empty when unknown. */
  readonly country: string;
  /** Number of the autonomous system (RFC 6793) that the client's address is announced by; 0 when unknown. */
  readonly asn: number;
}

/** An address or range of a feed. */
export interface FeedEntry {
  /** Canonical text of the address or CIDR block. */
  readonly network: string;
  /** Unix seconds; 0: it does not end. */
  readonly until: number;
}

/** All a handler can do. Methods are on `ctx` itself, so that emitted Lua calls them with one table access. */
export interface EdgeContext {
  readonly request: EdgeRequest;
  /** Seconds since 1970 with milliseconds, the same during one request. */
  readonly now: number;
  /**
   * What origins commonly take the path for: `request.path` first, and for one with `\\` or `;` (escaped or not) also with
   * slashes for backslashes, and without what follows a `;` in its segments. What blocks has to hold for any of them, what lets
   * pass for all.
   */
  pathReadings(): readonly string[];
  /** The query as origins read it: `%XX` and `+` decoded once, a broken escape as it is. */
  decodedQuery(): string;
  /**
   * Value of a request header field, name in lower case; undefined when absent. Several of one name are joined with `, `
   * (those of Cookie with `; `), so that none hides behind another. No blanks around a value; there are no fields with
   * `_` in their name.
   */
  header(name: string): string | undefined;
  /** Values of all header fields of a name in lower case, one for each field, in their order; those of Cookie are one, as in HTTP/2. */
  headerValues(name: string): readonly string[];
  /** Values of all cookies of a name, in its case and in their order. No blanks around one; quotes belong to it. */
  cookieValues(name: string): readonly string[];
  /**
   * Values of all arguments of a name in the query, in their order; empty for `?name`. Names and values are decoded once
   * (`%XX` and `+`), as nearly all origins do.
   */
  argumentValues(name: string): readonly string[];
  /**
   * All that origins may take the cookies of a name for (named-values.ts): what blocks has to hold for any of it, what lets pass
   * for all, where every origin finds one. Undefined: in doubt, as of `matches`.
   */
  possibleCookieValues(name: string): PossibleValues | undefined;
  /** The same of the arguments of a name in the query. */
  possibleArgumentValues(name: string): PossibleValues | undefined;
  /** Entry of `set` that holds the client's address (the narrowest), as it was written; undefined when none does. */
  matchAddress(set: AddressSet): string | undefined;
  /**
   * Which search engine the client is, proved by the engine's published ranges or by reverse and forward DNS;
   * undefined when it is none, or not known to be one (`isPossibleCrawler`). Never trusts the User-Agent.
   */
  verifiedCrawler(): CrawlerName | undefined;
  /**
   * Whether the client claims to be a search engine, and DNS has not said that it is none: it did not answer, or too much is
   * being asked. To be called where `verifiedCrawler` answers undefined, by what must not harm a search engine for longer.
   */
  isPossibleCrawler(): boolean;
  /**
   * Whether the pattern is found anywhere in the text. Undefined: in doubt, because the request has cost all that it may
   * (request-work.ts). A doubt counts against the visitor: it holds for what blocks or counts, and never for what lets pass.
   */
  matches(pattern: Pattern, text: string): boolean | undefined;
  /** Whether some origin may read the path as one that the pattern is found in; a doubt counts against the visitor. */
  matchesPath(pattern: Pattern): boolean;
  /**
   * To be called before comparing a text with what a customer wrote a lot of: takes steps of some 10 ns for the text and for
   * each of its bytes from what the request may cost. False: too few are left, and what was to be found out is in doubt.
   */
  spendOn(text: string, stepsOfText: number, stepsOfByte: number): boolean;
  /** How often this request has been in doubt so far. */
  doubtCount(): number;
  /**
   * Whether a request with the same path and User-Agent is known to have gone by `list` without effect (`noteWithoutEffect`); it
   * takes the same steps. To be asked where nothing else of a request decides, before the list is gone through.
   */
  isWithoutEffect(list: object): boolean;
  /** To be called for a list that was asked about and gone through, and that neither has an effect on the request nor left a doubt. */
  noteWithoutEffect(list: object): void;
  /**
   * Counts this request for its client (`clientNetwork`) on this route and this node. Answers how many requests with
   * `name`, unique among plugins, were counted in the last `seconds`, this one included: in tenths, so that none older
   * than that counts, and those of the oldest tenth may be forgotten. Clients that send most are kept when memory is short.
   * A verdict that bans begins the count anew, as a mark of the same name does. With `proof` (`provedAt`), only requests with the same proof are counted.
   */
  count(name: string, seconds: number, proof?: number): number;
  /**
   * Marks this client (with `proof`, only its requests with that proof) on this route and this node, for so many seconds from now.
   * What this request was counted among by the same name is forgotten, so that the client has all its requests again after that.
   */
  mark(name: string, seconds: number, proof?: number): void;
  /** Whether a mark of this client is still there. A short memory forgets those first that were looked for longest ago. */
  isMarked(name: string, proof?: number): boolean;
  /**
   * When the client proved itself on this domain in this way or a harder one (`CHALLENGE_WAYS`), Unix seconds; undefined
   * when it has not, or its pass has ended. A pass is bound to the domain and the client's network (`clientNetwork`). A proved
   * search engine (`verifiedCrawler`) need not prove itself: it always just has. Who has waited (`wait`) has proved nothing else.
   */
  provedAt(way: ChallengeWay): number | undefined;
  /**
   * Whether the signature is the HMAC-SHA256 (RFC 2104) of the text, by a secret of the configuration, as 64 hex digits in lower case.
   * Takes the same time wherever it differs. The empty secret, which stands for one that cannot be opened, signs nothing.
   */
  isSignedBy(secret: string, text: string, signature: string): boolean;
  /** Entry of a feed of this route or its account that holds the client, the narrowest; undefined when none does. */
  feed(name: string): FeedEntry | undefined;
}

/** What those who run handlers have besides. */
export interface RunContext extends EdgeContext {
  /** Forgets all that this request was counted among (`count`), for its client: when the ban of a verdict begins. */
  forgetCounts(): void;
}

/** What `prepare` may use. */
export interface EdgeKit {
  /**
   * A set from a list that a customer wrote. Special addresses (private, loopback, …) are left out, as a notice says
   * to the customer; so is what is no address or range, which the schema has refused before.
   */
  addressSet(this: void, entries: readonly string[]): AddressSet;
  /**
   * A set from addresses of a condition, special ones included: where a condition may be turned round, an entry that is left out
   * makes it hold for all visitors.
   */
  addressSetAsWritten(this: void, entries: readonly string[]): AddressSet;
  /** A pattern that the schema has checked (`patternText`); one that is none is found nowhere. */
  pattern(this: void, source: string): Pattern;
  /** Seconds of a text that the schema has checked (`durationText`), such as `3h`. */
  durationSeconds(this: void, text: string): number;
  /** How many bytes a text is: its length differs between Node and nginx. */
  byteCount(this: void, text: string): number;
  /** With the letters of ASCII in lower case, and all others as they are. */
  lowerCase(this: void, text: string): string;
  /**
   * Whether a path (`EdgeRequest.path`) ends in one of `CACHEABLE_EXTENSIONS`, in any case, and is no program that only
   * looks like a file: `/login.php/x.css`, `/login;x.css`.
   */
  isCacheableFile(this: void, path: string): boolean;
  /** The same for other extensions, in lower case and without their dots. */
  cacheableFiles(this: void, extensions: readonly string[]): (this: void, path: string) => boolean;
  /** What settings that the schema has checked (`cacheFields`) come to. */
  cacheRules(this: void, settings: CacheSettings): CacheRules;
}

/** Which requests pass by the cache: of `header`, letters of the name count in either case. */
export type CacheBypassRule =
  | { readonly on: 'path'; readonly pattern: string }
  | {
      readonly on: 'argument' | 'cookie' | 'header';
      readonly name: string;
      /** Empty: any value. */
      readonly pattern: string;
    };

/** Settings that the plugins of the phase `cache` share, as customers write them (cache-settings.ts). */
export interface CacheSettings {
  readonly request_method: readonly string[];
  readonly bypass_rules: readonly CacheBypassRule[];
  readonly cache_reusable: boolean;
  readonly key: {
    readonly query: QueryKey;
    readonly query_names: readonly string[];
    readonly sort_query: boolean;
    readonly by_device: boolean;
    readonly languages: readonly string[];
  };
}

/** The same, ready for requests. */
export interface CacheRules {
  /** Whether answers to the method are kept. */
  isKeptMethod(this: void, method: string): boolean;
  /** Whether one of the rules holds; a doubt counts as if it did. */
  bypasses(this: void, ctx: EdgeContext): boolean;
  readonly key: CacheKeyRules;
  /** As `CachePolicy` means it. */
  readonly staleIfErrorSeconds: number;
}

/** Pages for visitors who can do something about a refusal themselves, which the page of all others does not say. */
export type BlockPage = 'link_expired' | 'link_invalid' | 'rate_limited' | 'banned';

/** The request is refused: block page of the brand or customer, one log row with plugin, rule and reason. */
export interface BlockVerdict {
  readonly kind: 'block';
  /** HTTP status of the answer, usually 403. */
  readonly status: number;
  /** One of the plugin's reasons. */
  readonly reason: string;
  /** The entry or rule that matched; empty string when it was the lack of one. */
  readonly rule: string;
  /** The brand's page that visitors get; the one that says that the owner does not allow it when left out. */
  readonly page?: BlockPage;
  /**
   * The request lacks what this plugin asks for, as opposed to having what it forbids. Where the plugins of its phase are
   * alternatives (`EdgeHandler.isAlternative`), another one's `permit` is enough instead.
   */
  readonly isUnmet?: boolean;
  /**
   * Bans the client (`clientNetwork`) from this domain for so many seconds: at once here, shortly after on all nodes.
   * What this request was counted among is forgotten, so that the client has all its requests again once the ban is over.
   */
  readonly banSeconds?: number;
  /** After how many seconds the client may come back (`Retry-After`, RFC 9110 10.2.3); with `banSeconds`, these when left out. */
  readonly retrySeconds?: number | undefined;
}

/**
 * The request has what this plugin asks for. Where the plugins of its phase are alternatives, none of them refuses it
 * for a lack any more; everywhere else it means the same as undefined.
 */
export interface PermitVerdict {
  readonly kind: 'permit';
}

/** The request skips everything up to and including the WAF (allow lists). */
export interface AllowVerdict {
  readonly kind: 'allow';
  readonly reason: string;
  readonly rule: string;
}

/** The request goes on as if nothing had been said; its row of the log says that the rule matched, unless another one decides. */
export interface LogVerdict {
  readonly kind: 'log';
  readonly reason: string;
  readonly rule: string;
}

export interface RedirectVerdict {
  readonly kind: 'redirect';
  readonly status: number;
  readonly location: string;
  readonly reason: string;
  readonly rule: string;
}

/**
 * How a client proves itself: by work that its browser does (`js`), by Google reCAPTCHA, or by a puzzle that a person solves. `wait`: it
 * proves nothing but that it has waited.
 */
export type ChallengeWay = 'js' | 'google_recaptcha' | 'puzzle' | 'wait';

/**
 * The client has to prove itself before the request goes on: a page that lets it, or, for clients that do not accept
 * HTML, 403 with a machine-readable body. One that has proved itself (`EdgeContext.provedAt`) passes as if nothing had been said.
 */
export interface ChallengeVerdict {
  readonly kind: 'challenge';
  readonly way: ChallengeWay;
  readonly reason: string;
  readonly rule: string;
  /** How long a proof holds, also one that was given for longer. Left out: a pass is given for `PASS_SECONDS`, and any valid one does. */
  readonly passSeconds?: number;
  /** Proofs from before, Unix seconds, do not count; any that is valid does when left out. Of a wait it may lie ahead: its pass counts from then. */
  readonly since?: number;
  /** How long the client waits, with the way `wait`. */
  readonly waitSeconds?: number;
}

/** undefined: nothing to say, the pipeline goes on. */
export type Verdict =
  | BlockVerdict
  | PermitVerdict
  | AllowVerdict
  | LogVerdict
  | RedirectVerdict
  | ChallengeVerdict
  | undefined;

/** A header field (RFC 9110, 5). */
export interface HeaderField {
  /** As it is sent; compared without regard to case. */
  readonly name: string;
  readonly value: string;
}

/** The requests that a domain's origins get, as far as plugins may change them. */
export interface OriginRequest {
  /** Sent as Host and, over TLS, as the server name (SNI); undefined: the name that the visitor asked for. */
  host: string | undefined;
  /** Header fields in addition to the visitor's; one of the same name takes the place of the visitor's. */
  readonly fields: HeaderField[];
}

/** A page that visitors get in place of the origin's answer, or ours, with one status. */
export interface ErrorPage {
  readonly status: number;
  readonly contentType: string;
  /**
   * `{{request_id}}` in it becomes the id of the visitor's request, `{{request_url}}` the address at which the domain's owner finds
   * that in the console: no text where there is none.
   */
  readonly body: string;
}

/**
 * The answers that a domain's visitors get, as far as plugins may change them: those of its origins, redirects, and
 * pages of its own. The brand's pages stay as they are (`changesOfAnswer` of `pipeline.ts`).
 */
export interface VisitorResponse {
  /** Header fields: each takes the place of the origin's of the same name, or stands beside it (`isRepeatableField`). */
  readonly fields: HeaderField[];
  readonly pages: ErrorPage[];
}

/**
 * Behaviour of a plugin, exported from its `edge.ts` as `handler`. Written with arrow functions, so that the emitted
 * functions take no `self`. `prepare` runs once for each configuration a worker meets and its result is kept as long as
 * the configuration; `access` runs for each request, in the order of the pipeline.
 *
 * `upstream` says what is different about every request to the origin, `response` about the answers to visitors that
 * plugins may change. They run once for each configuration, like `prepare`, and see no request: routes without them pay
 * nothing, and the agent, which runs them too, knows with which server name connections to an origin are opened, so that
 * none is shared between two.
 *
 * `cache` says how answers to the route's requests are kept, once for each configuration too, and `bypassesCache` which requests
 * pass by all that: of those that nothing refused, just before they are looked for.
 */
export interface EdgeHandler<Config, Prepared, Resolved = undefined> {
  /** `resolved` is what the plugin's `resolve` found when the version was deployed. */
  prepare(this: void, config: Config, kit: EdgeKit, resolved: Resolved): Prepared;
  access?(this: void, ctx: EdgeContext, prepared: Prepared): Verdict;
  /**
   * Whether this configuration makes the plugins of its phase alternatives: a request that one of them permits is not
   * refused by another for a lack (nginx's `satisfy any`). What they forbid stays forbidden.
   */
  isAlternative?(this: void, prepared: Prepared): boolean;
  upstream?(this: void, prepared: Prepared, request: OriginRequest): void;
  response?(this: void, prepared: Prepared, response: VisitorResponse): void;
  /** Undefined: this configuration keeps nothing. Of several plugins the last one's holds. */
  cache?(this: void, prepared: Prepared): RouteCache | undefined;
  /** Why the request is not looked for in the cache, nor its answer stored; undefined: it is. Never waits, and changes nothing. */
  bypassesCache?(this: void, ctx: EdgeContext, prepared: Prepared): CacheBypass | undefined;
}

/**
 * A handler among others: its caller gives it the configuration of its own plugin and what its own `prepare`
 * made, and need not know their types.
 */
export type AnyEdgeHandler = EdgeHandler<unknown, unknown, unknown>;

import type { Address } from '@cordon/contract/address';
import { type AddressSet, buildAddressSet, matchAddressSet } from '@cordon/contract/address-set';
import { askFrom, freePlace, newQuestionPlaces } from './agent-question.ts';
import { needToWait } from './fault.ts';
import { options, type RunnerCrawler } from './runner-options.ts';
import { newMemory, remember } from './worker-memory.ts';

/** Answers of DNS by address, in a dictionary of all workers: name of the engine, NONE, or UNKNOWN. */
const verdicts = ngx.shared.cordon_crawlers as SharedDict;
const NONE = '';
/** DNS did not answer. */
const UNKNOWN = '?';
const PROVED_SECONDS = 86400;
const REFUTED_SECONDS = 3600;
/** Asked again soon. */
const UNKNOWN_SECONDS = 30;
/** A flood of invented User-Agents must not fill the agent with lookups. */
const places = newQuestionPlaces(32, 1500);

interface RangedCrawler {
  readonly name: string;
  readonly set: AddressSet;
}
let ranged: RangedCrawler[] | undefined;

function rangedCrawlers(): RangedCrawler[] {
  if (ranged === undefined) {
    ranged = [];
    for (const crawler of options.crawlers) {
      if (crawler.ranges.length > 0) ranged.push({ name: crawler.name, set: buildAddressSet(crawler.ranges) });
    }
  }
  return ranged;
}

/** The engine whose published ranges hold the address. */
function rangedCrawler(address: Address): string | undefined {
  for (const crawler of rangedCrawlers()) {
    if (matchAddressSet(crawler.set, address) !== undefined) return crawler.name;
  }
  return undefined;
}

/** What was found lately, by the objects that `addressOf` keeps and by User-Agent; false: nothing. */
const rangedByAddress = newMemory<Address, string | false>(20_000);
const claimedByAgent = newMemory<string, RunnerCrawler | false>(1000);
const AGENT_BYTES_MAX = 300;

function rangedAgain(address: Address): string | undefined {
  const known =
    rangedByAddress.entries.get(address) ?? remember(rangedByAddress, address, rangedCrawler(address) ?? false);
  return known === false ? undefined : known;
}

function claimedCrawler(userAgent: string): RunnerCrawler | undefined {
  if (userAgent.length > AGENT_BYTES_MAX) return findClaimed(userAgent);
  const known =
    claimedByAgent.entries.get(userAgent) ?? remember(claimedByAgent, userAgent, findClaimed(userAgent) ?? false);
  return known === false ? undefined : known;
}

/** The engine that a User-Agent claims to be and that DNS could prove. */
function findClaimed(userAgent: string): RunnerCrawler | undefined {
  const text = userAgent.toLowerCase();
  for (const crawler of options.crawlers) {
    if (crawler.domains.length > 0) {
      for (const part of crawler.user_agents) {
        if (text.includes(part)) return crawler;
      }
    }
  }
  return undefined;
}

interface CrawlerAnswer {
  readonly result: 'proved' | 'refuted' | 'failed';
}

const verdictKey = (addressText: string, crawler: RunnerCrawler): string => `${addressText} ${crawler.name}`;

/** Which engine the client is; never by its User-Agent alone. */
export function verifyCrawler(
  address: Address,
  addressText: string,
  userAgent: string | undefined,
): string | undefined {
  const ranged = rangedAgain(address);
  if (ranged !== undefined) return ranged;
  if (userAgent === undefined || options.agentSocket === '') return undefined;
  const claimed = claimedCrawler(userAgent);
  if (claimed === undefined) return undefined;
  const key = verdictKey(addressText, claimed);
  const known = verdicts.get(key) as string | undefined;
  if (known !== undefined) return known === NONE || known === UNKNOWN ? undefined : known;
  const place = freePlace(places);
  if (place === undefined) return undefined;
  needToWait();
  // By reverse and forward DNS.
  const answer = askFrom<CrawlerAnswer>(places, place, { address: addressText, domains: claimed.domains });
  const result = answer?.result ?? 'failed';
  // This dictionary may evict: what is lost is asked again.
  if (result === 'proved') verdicts.set(key, claimed.name, PROVED_SECONDS);
  else if (result === 'refuted') verdicts.set(key, NONE, REFUTED_SECONDS);
  else verdicts.set(key, UNKNOWN, UNKNOWN_SECONDS);
  return result === 'proved' ? claimed.name : undefined;
}

/** Whether the client claims to be an engine that DNS could prove, and DNS has not said that it is none. Asks nothing. */
export function isPossibleCrawler(addressText: string, userAgent: string | undefined): boolean {
  if (userAgent === undefined || options.agentSocket === '') return false;
  const claimed = claimedCrawler(userAgent);
  return claimed !== undefined && verdicts.get(verdictKey(addressText, claimed)) !== NONE;
}

import type { Address } from '@cordon/contract/address';
import { type AddressSet, buildAddressSet, matchAddressSet } from '@cordon/contract/address-set';
import * as json from 'cjson.safe';
import { needToWait } from './fault.ts';
import { options, type RunnerCrawler } from './runner-options.ts';

/** Answers of DNS by address, in a dictionary of all workers: name of the engine, or empty for "is none". */
const verdicts = ngx.shared.cordon_crawlers as SharedDict;
const PROVED_SECONDS = 86400;
const REFUTED_SECONDS = 3600;
/** DNS did not answer: asked again soon, and until then the client is no crawler. */
const FAILED_SECONDS = 30;
const ANSWER_MS = 1500;
/** No more questions at once: a flood of invented User-Agents must not fill the agent with lookups. */
const QUESTIONS_MAX = 32;
let questions = 0;

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

/** The engine that a User-Agent claims to be and that DNS could prove. */
function claimedCrawler(userAgent: string): RunnerCrawler | undefined {
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

/** Asks the agent for reverse and forward DNS over its unix socket. Lets other requests run meanwhile. */
function askAgent(address: string, domains: readonly string[]): 'proved' | 'refuted' | 'failed' {
  const socket = ngx.socket.tcp();
  socket.settimeouts(200, 200, ANSWER_MS);
  const [connected] = socket.connect(`unix:${options.agentSocket}`);
  if (connected === undefined) return 'failed';
  socket.send(`${json.encode({ address, domains })}\n`);
  const [line] = socket.receive('*l');
  socket.close();
  const answer = line === undefined ? undefined : json.decode<CrawlerAnswer>(line);
  return answer?.result ?? 'failed';
}

/** Which engine the client is; never by its User-Agent alone. */
export function verifyCrawler(
  address: Address,
  addressText: string,
  userAgent: string | undefined,
): string | undefined {
  for (const crawler of rangedCrawlers()) {
    if (matchAddressSet(crawler.set, address) !== undefined) return crawler.name;
  }
  if (userAgent === undefined || options.agentSocket === '') return undefined;
  const claimed = claimedCrawler(userAgent);
  if (claimed === undefined) return undefined;
  const key = `${addressText} ${claimed.name}`;
  const known = verdicts.get(key) as string | undefined;
  if (known !== undefined) return known === '' ? undefined : known;
  if (questions >= QUESTIONS_MAX) return undefined;
  needToWait();
  questions++;
  const result = askAgent(addressText, claimed.domains);
  questions--;
  const isProved = result === 'proved';
  const seconds = isProved ? PROVED_SECONDS : result === 'refuted' ? REFUTED_SECONDS : FAILED_SECONDS;
  // This dictionary may evict: what is lost is asked again.
  verdicts.set(key, isProved ? claimed.name : '', seconds);
  return isProved ? claimed.name : undefined;
}

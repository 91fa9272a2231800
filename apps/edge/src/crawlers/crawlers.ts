import type { RunnerCrawler } from '../runner/runner-options.ts';
import data from './crawlers.json' with { type: 'json' };

/** Search engines and how they are proved. Ranges are data as of the dates in crawlers.json, with their sources. */
export const crawlers: readonly RunnerCrawler[] = data.map(({ name, ranges, user_agents, domains }) => ({
  name,
  ranges,
  user_agents,
  domains,
}));

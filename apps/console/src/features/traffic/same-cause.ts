import type { AccountHealth } from '@cordon/contract';

type Judged = AccountHealth['worst'][number];

/** From this on they are one line: fewer have more to say by themselves. */
const TOGETHER_MIN = 3;

const causeOf = ({ route_id, health: { findings } }: Judged): string => {
  const [worst] = findings;
  // One that differs in its numbers alone, as in its share of errors, is told by itself.
  return worst ? [worst.check, worst.finding, worst.state, worst.params.share].join(' ') : route_id;
};

/** Domains with the same worst finding together, in the place of the first of them. */
export function bySameCause(domains: readonly Judged[]): (readonly Judged[])[] {
  const groups = new Map<string, Judged[]>();
  for (const domain of domains) {
    const cause = causeOf(domain);
    const known = groups.get(cause);
    if (known) known.push(domain);
    else groups.set(cause, [domain]);
  }
  const isGroup = (domain: Judged) => (groups.get(causeOf(domain))?.length ?? 0) >= TOGETHER_MIN;
  return domains.flatMap((domain) => {
    const group = groups.get(causeOf(domain)) ?? [];
    if (!isGroup(domain)) return [[domain]];
    return group[0] === domain ? [group] : [];
  });
}

import type { PrefetchProblem } from '@cordon/contract';

/** What became of a URL for the same reason, and where. */
export interface ProblemCause extends Pick<PrefetchProblem, 'status' | 'reason'> {
  /** Hosts, with a scheme where the other one did not meet it; none where the URL says it. */
  readonly hosts: readonly string[];
  readonly devices: readonly NonNullable<PrefetchProblem['device']>[];
  readonly languages: readonly string[];
  readonly nodes: readonly string[];
}

/** A URL as it was asked for, or the path of those that differ in scheme and host alone. */
export interface ProblemGroup {
  readonly url: string;
  readonly causes: readonly ProblemCause[];
}

const unique = <Value>(values: readonly (Value | null)[]): Value[] => [
  ...new Set(values.filter((value) => value !== null)),
];

function partUrl(url: string): { origin: string; scheme: string; host: string; target: string } {
  const [, origin = '', scheme = '', host = '', target = url] = /^((https?):\/\/([^/]*))(.*)$/.exec(url) ?? [];
  return { origin, scheme, host, target };
}

function groupBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): Value[][] {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return [...groups.values()];
}

const hostsOf = (problems: readonly PrefetchProblem[]): string[] =>
  groupBy(unique(problems.map(({ url }) => partUrl(url).origin)), (origin) => partUrl(origin).host).flatMap(
    (origins) => (origins.length > 1 ? partUrl(origins[0] ?? '').host : origins),
  );

/** One entry for each path, whatever schemes, hosts, devices, languages and nodes it was asked for by. */
export function groupProblems(problems: readonly PrefetchProblem[]): ProblemGroup[] {
  return groupBy(problems, ({ url }) => partUrl(url).target).map((ofTarget) => {
    const urls = unique(ofTarget.map(({ url }) => url));
    const [url = ''] = urls;
    const causes = groupBy(ofTarget, ({ status, reason }) => `${status} ${reason}`).map((same): ProblemCause => {
      const [{ status, reason } = { status: 0, reason: '' }] = same;
      return {
        ...{ status, reason },
        hosts: urls.length > 1 ? hostsOf(same) : [],
        devices: unique(same.map(({ device }) => device)),
        languages: unique(same.map(({ language }) => language)),
        nodes: unique(same.map(({ node }) => node)),
      };
    });
    return { url: urls.length > 1 ? partUrl(url).target : url, causes };
  });
}

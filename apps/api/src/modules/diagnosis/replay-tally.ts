import { REPLAY_RULES_MAX, REPLAY_SAMPLED_RULES_MAX, REPLAY_SAMPLES_MAX, type Replay } from '@cordon/contract';
import type { RecordedRequest } from '../traffic/service.ts';

type Sample = Replay['rules'][number]['samples'][number];
export type Tallied<Kind> = Kind & { readonly requests: number; readonly samples: Sample[] };

const PATH_SHOWN_MAX = 300;

const sampleOf = ({ request_id, method, path, client_address, country }: RecordedRequest): Sample => ({
  request_id,
  method,
  path: path.slice(0, PATH_SHOWN_MAX),
  client_address,
  country,
});

/** Requests counted by kind, with the first few of each. */
export function createReplayTally<Kind extends object>() {
  const kinds = new Map<string, Tallied<Kind>>();
  return {
    add(kind: Kind, request: RecordedRequest): void {
      const key = JSON.stringify(kind);
      const { requests, samples } = kinds.get(key) ?? { requests: 0, samples: [] };
      const shown = samples.length < REPLAY_SAMPLES_MAX ? [...samples, sampleOf(request)] : samples;
      kinds.set(key, { ...kind, requests: requests + 1, samples: shown });
    },
    /** Most first. */
    list: (): Tallied<Kind>[] =>
      [...kinds.values()]
        .sort((one, other) => other.requests - one.requests)
        .slice(0, REPLAY_RULES_MAX)
        .map((kind, index) => (index < REPLAY_SAMPLED_RULES_MAX ? kind : { ...kind, samples: [] })),
  };
}

import {
  type MissingField,
  REPLAY_MISSING_FIELDS_MAX,
  REPLAY_RULES_MAX,
  REPLAY_SAMPLED_RULES_MAX,
  REPLAY_SAMPLES_MAX,
  type Replay,
} from '@cordon/contract';
import type { RecordedRequest } from '../traffic/service.ts';
import type { PassedOver } from './replay-judge.ts';

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

type UnknownRule = Replay['unknown_rules'][number] & { readonly plugin: string };

/** Rules that were passed over, with what the log lacked for them. */
export function createUnknownTally() {
  const rules = new Map<string, { readonly rule: UnknownRule; readonly fields: Map<string, MissingField> }>();
  return {
    add({ plugin, rule, verdict, fields }: PassedOver): void {
      const key = JSON.stringify([plugin, rule, verdict]);
      const known = rules.get(key);
      const missing = known?.fields ?? new Map<string, MissingField>();
      for (const field of fields)
        if (missing.size < REPLAY_MISSING_FIELDS_MAX) missing.set(`${field.field} ${field.name}`, field);
      const requests = (known?.rule.requests ?? 0) + 1;
      rules.set(key, { rule: { plugin, rule, verdict, requests, fields: [] }, fields: missing });
    },
    /** Most first. */
    list: (): UnknownRule[] =>
      [...rules.values()]
        .map(({ rule, fields }) => ({ ...rule, fields: [...fields.values()] }))
        .sort((one, other) => other.requests - one.requests)
        .slice(0, REPLAY_RULES_MAX),
  };
}

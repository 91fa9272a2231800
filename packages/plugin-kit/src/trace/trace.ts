import type { FeedEntry, HeaderField } from '../edge/context.ts';
import type { EdgePlugins } from '../edge/pipeline.ts';
import type { AnyExplain } from './explain.ts';
import type { DroppedField, OriginField } from './origin-fields.ts';

/** A made-up or a logged request. */
export interface TracedRequest {
  readonly method: string;
  readonly scheme: 'http' | 'https';
  /** Value of the Host header field. */
  readonly host: string;
  /** As the visitor sends it, without query; begins with `/`. */
  readonly path: string;
  readonly query: string;
  /** The target goes on with a `#`; false when left out. */
  readonly hasFragment?: boolean;
  /** Without Host, except where it comes again. */
  readonly headers: readonly HeaderField[];
  readonly clientAddress: string;
  /** ISO 3166-1 alpha-2, or empty when unknown. */
  readonly country: string;
  /** Number of the autonomous system of the address; 0 when unknown. */
  readonly asn: number;
  /** The search engine that the client is taken to be proved as, or empty. */
  readonly crawler: string;
  /** Carries a valid preview token: a name need not be proved. */
  readonly isPreview: boolean;
}

/**
 * `pass`: nothing to say. `changes`: something about the request to the origin or the visitor's answer. `not_reached`: an
 * earlier step answered, and the step changes nothing about that answer.
 */
export type TraceOutcome =
  | 'pass'
  | 'changes'
  | 'log'
  | 'allow'
  | 'skipped'
  | 'block'
  | 'challenge'
  | 'redirect'
  | 'not_reached';

/** One step of the pipeline, in the order of the edge (runner/access.ts). */
export interface TraceStep {
  readonly step:
    | 'request'
    | 'host'
    | 'ownership'
    | 'loop'
    | 'https'
    | 'plugin'
    | 'upstream'
    | 'origin_limit'
    | 'origin_tls';
  /** Of a plugin's step; empty otherwise. */
  readonly plugin: string;
  readonly outcome: TraceOutcome;
  /** HTTP status, where the step answers the visitor. */
  readonly status: number | null;
  /**
   * Of the plugin, or one of EDGE_REASONS; of `changes`, what it changes: `host`, `origin_fields`,
   * `response_fields`, `error_pages`.
   */
  readonly reason: string;
  readonly rule: string;
  readonly location: string;
  /**
   * What else there is to show: the name that matched, the Host or the names of the header fields that a plugin sets,
   * how many requests may be open at the origin (empty: any number), how its certificate is verified (empty: the
   * connection is without TLS), how a client is to prove itself.
   */
  readonly detail: string;
  /** Of `origin_fields` and `response_fields`: what the plugin sets. A value that must not be shown is null. */
  readonly fields?: readonly { readonly name: string; readonly value: string | null }[];
  /** The request has a signature that the log left out, and that is taken for good. */
  readonly isSignatureTaken?: boolean;
  /** The parts of the plugin's configuration that fit (`Explain`). */
  readonly matched?: readonly Readonly<Record<string, unknown>>[];
}

export interface TracedTarget {
  readonly host: string;
  readonly port: number;
  /** Of the requests while all targets are healthy; 0 for a backup. */
  readonly share: number;
  readonly backup: boolean;
}

export interface TracedUpstream {
  readonly protocol: 'http' | 'https';
  /** Sent as Host, and over TLS as the server name. */
  readonly hostHeader: string;
  readonly tries: number;
  readonly targets: readonly TracedTarget[];
}

export interface Trace {
  readonly steps: readonly TraceStep[];
  /** What the visitor gets: the origin's answer, or one of the edge's own. */
  readonly answer: { readonly kind: 'origin' | 'block' | 'challenge' | 'redirect'; readonly status: number | null };
  /** Null when the request does not get that far. */
  readonly upstream: TracedUpstream | null;
  readonly sent: readonly OriginField[];
  readonly dropped: readonly DroppedField[];
}

/** What the trace needs to know besides the route. */
export interface TraceParts {
  readonly handlers: EdgePlugins;
  /** Our identifier in CDN-Loop. */
  readonly cdnLoopId: string;
  /** Unix seconds. */
  readonly now: number;
  /** Entries of the route's feeds, by feed, that hold the client; none when left out. */
  readonly feeds?: Readonly<Record<string, FeedEntry | undefined>>;
  /** How plugins say what of their configuration decided, by name; none when left out. */
  readonly explanations?: Readonly<Record<string, AnyExplain | undefined>>;
}

/** A step with the fields that are given; the others are empty. */
export const traceStep = (
  name: TraceStep['step'],
  outcome: TraceOutcome,
  rest: Partial<Omit<TraceStep, 'step' | 'outcome'>> = {},
): TraceStep => ({
  step: name,
  outcome,
  plugin: '',
  status: null,
  reason: '',
  rule: '',
  location: '',
  detail: '',
  ...rest,
});

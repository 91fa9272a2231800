import type { ChallengeWay } from './edge/context.ts';

/** What the origin of a case answers. */
export interface OriginAnswer {
  /** 200 when left out. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What of a request or an answer a case looks at; nothing else of it matters. */
export interface ExpectedMessage {
  /** Values of header fields by name in lower case; null: there is no such field. Several are joined with `, `. */
  readonly fields?: Readonly<Record<string, string | null>>;
}

/** What the origin is asked for. */
export interface ExpectedOriginRequest extends ExpectedMessage {
  readonly host?: string;
}

/** What the visitor gets. */
export interface ExpectedAnswer extends ExpectedMessage {
  readonly status?: number;
  readonly body?: string;
}

/** What a visitor sends. */
export interface CaseRequest {
  readonly method?: string;
  /** With its query. A function is given the time of the request, whole Unix seconds. */
  readonly path?: string | ((now: number) => string);
  readonly host?: string;
  /** Client address; `203.0.113.7` when left out. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly country?: string;
  /** Number of the autonomous system; unknown when left out. */
  readonly asn?: number;
  /** Name of the verified crawler that the address belongs to, in Node and LuaJIT; nginx looks it up for real. */
  readonly crawler?: string;
  /** It claims to be a crawler, and DNS gave no answer. Not run in nginx, where DNS would have to be silent. */
  readonly isPossibleCrawler?: boolean;
  /** The client has proved itself in this way. */
  readonly proved?: ChallengeWay;
  /** How long before; just before when left out. */
  readonly provedSecondsBefore?: number;
}

/** Requests that came before the one that a case is about. */
export interface EarlierRequests {
  readonly request: CaseRequest;
  /** 1 when left out. */
  readonly times?: number;
  /** How long before; 0 when left out. Cases with another value do not run in nginx, whose clock is real. */
  readonly secondsBefore?: number;
}

/**
 * One example of a plugin's behaviour. Runs three times: the handler in Node, the emitted Lua under LuaJIT, and a
 * real nginx.
 */
export interface PluginCase<ConfigInput> {
  readonly name: string;
  /** As a customer would write it; defaults are filled in by the schema. */
  readonly config: ConfigInput;
  /** What `resolve` found at the deploy, for plugins that have it. */
  readonly resolved?: unknown;
  /** Addresses and ranges in feeds of the route, by feed. */
  readonly feeds?: Readonly<Record<string, readonly string[]>>;
  readonly before?: readonly EarlierRequests[];
  readonly request: CaseRequest;
  /** What the origin answers, if it is asked; its body is `origin of <host>`. */
  readonly origin?: OriginAnswer;
  readonly expect: (
    | { readonly verdict: 'pass'; readonly origin?: ExpectedOriginRequest }
    | { readonly verdict: 'allow' | 'log'; readonly reason: string; readonly rule?: string }
    | {
        readonly verdict: 'block';
        readonly status: number;
        readonly reason: string;
        readonly rule?: string;
        /** For how long the client is banned. */
        readonly banSeconds?: number;
      }
    | { readonly verdict: 'challenge'; readonly way: ChallengeWay; readonly reason: string; readonly rule?: string }
    | { readonly verdict: 'redirect'; readonly status: number; readonly reason: string; readonly location: string }
  ) & { readonly answer?: ExpectedAnswer };
}

/**
 * One example of a plugin's behaviour. Runs three times: the handler in Node, the emitted Lua under LuaJIT, and a
 * real nginx.
 */
export interface PluginCase<ConfigInput> {
  readonly name: string;
  /** As a customer would write it; defaults are filled in by the schema. */
  readonly config: ConfigInput;
  readonly request: {
    readonly method?: string;
    readonly path?: string;
    readonly host?: string;
    /** Client address; `203.0.113.7` when left out. */
    readonly from?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly country?: string;
    /** Name of the verified crawler that the address belongs to, in Node and LuaJIT; nginx looks it up for real. */
    readonly crawler?: string;
  };
  readonly expect:
    | {
        readonly verdict: 'pass';
        /** What the origin is asked for; looked at only when given. */
        readonly origin?: { readonly host: string };
      }
    | { readonly verdict: 'allow'; readonly reason: string; readonly rule?: string }
    | { readonly verdict: 'block'; readonly status: number; readonly reason: string; readonly rule?: string }
    | { readonly verdict: 'redirect'; readonly status: number; readonly reason: string; readonly location: string };
}

import type { BlockPage, EdgeContext, EdgeHandler, Pattern, Verdict } from '@cordon/plugin-kit/edge';
import { SIGNATURE_ARGUMENT, TIME_ARGUMENT } from './link.ts';
import type { SeclinkConfig } from './schema.ts';

interface Prepared {
  readonly path: Pattern;
  /** Empty: it cannot be opened, and no link is valid. */
  readonly secret: string;
  readonly waitSeconds: number;
  readonly validSeconds: number;
}

const DIGITS_MAX = 11;
/** How far the clock of who signs may be ahead. */
const SKEW_SECONDS = 60;

/** The value of an argument that is there once: of two, origin and edge might not take the same. */
function onlyValue(ctx: EdgeContext, name: string): string {
  const values = ctx.argumentValues(name);
  return values.length === 1 ? (values[0] as string) : '';
}

/** Undefined where the text is no number of seconds. */
function secondsOf(text: string): number | undefined {
  if (text === '' || text.length > DIGITS_MAX) return undefined;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) return undefined;
  }
  return Number(text);
}

/** Unix seconds at which a valid link was signed. What is signed is the path as it was sent: no origin can read it as another. */
function signedAt(ctx: EdgeContext, secret: string): number | undefined {
  const time = onlyValue(ctx, TIME_ARGUMENT);
  const at = secondsOf(time);
  if (at === undefined || at > ctx.now + SKEW_SECONDS) return undefined;
  const text = `${ctx.request.rawPath}\n${time}`;
  return ctx.isSignedBy(secret, text, onlyValue(ctx, SIGNATURE_ARGUMENT)) ? at : undefined;
}

const block = (reason: BlockPage, { source }: Pattern): Verdict => ({
  kind: 'block',
  status: 403,
  reason,
  rule: source,
  page: reason,
});

export const handler: EdgeHandler<SeclinkConfig, Prepared> = {
  prepare: (config, kit) => ({
    path: kit.pattern(config.path),
    secret: config.api_secret,
    waitSeconds: config.sleep_seconds,
    validSeconds: config.expire_seconds,
  }),

  access: (ctx, { path, secret, waitSeconds, validSeconds }) => {
    // A doubt counts against the visitor.
    if (!ctx.matchesPath(path)) return undefined;
    const at = signedAt(ctx, secret);
    if (at === undefined) return block('link_invalid', path);
    if (ctx.now >= at + validSeconds) return block('link_expired', path);
    if (waitSeconds === 0) return undefined;
    return {
      kind: 'challenge',
      way: 'wait',
      waitSeconds,
      // A link that is signed after a wait waits anew; those that the visitor had by then do not.
      since: at,
      passSeconds: validSeconds,
      reason: 'wait_required',
      rule: path.source,
    };
  },
};

import type { ChallengeWay, EdgeHandler } from '@cordon/plugin-kit/edge';
import type { CrowdsecCaptchaConfig } from './schema.ts';

interface Prepared {
  readonly way: ChallengeWay;
  /** What is counted under: another setting begins anew, instead of judging by what the one before it counted. */
  readonly countName: string;
  readonly findSeconds: number;
  readonly requestsMax: number;
  readonly markSeconds: number;
}

export const handler: EdgeHandler<CrowdsecCaptchaConfig, Prepared> = {
  prepare: ({ mode, findtime, maxretry, bantime }, kit) => ({
    way: mode,
    countName: `crowdsec-captcha ${mode} ${findtime} ${maxretry} ${bantime}`,
    findSeconds: findtime,
    requestsMax: maxretry,
    markSeconds: kit.durationSeconds(bantime),
  }),

  access: (ctx, { way, countName, findSeconds, requestsMax, markSeconds }) => {
    // A proof buys as many requests as a client has without one: a client whose proof is used up has to give another.
    const provedAt = ctx.provedAt(way);
    // A proved search engine always just has.
    if (provedAt === ctx.now) return undefined;
    if (!ctx.isMarked(countName, provedAt)) {
      if (ctx.count(countName, findSeconds, provedAt) < requestsMax) return undefined;
      ctx.mark(countName, markSeconds, provedAt);
    }
    const reason = 'too_many_requests';
    // A search engine cannot prove itself by work: while DNS gives no answer, it is asked to come back, and keeps the page.
    if (provedAt === undefined && ctx.isPossibleCrawler())
      return { kind: 'block', status: 503, reason: 'crawler_unknown', rule: '' };
    return provedAt === undefined
      ? { kind: 'challenge', way, reason, rule: '' }
      : { kind: 'challenge', way, reason, rule: '', since: provedAt + 1 };
  },
};

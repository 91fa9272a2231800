import type { EdgeRecaptcha } from '@cordon/contract/edge-config';
import type { RecaptchaAnswer, RecaptchaQuestion, RunnerRecaptcha } from '../runner/payload.ts';
import { boundedText } from './bounded-text.ts';
import { log } from './log.ts';

const ANSWER_MS = 3000;
/** Google's answers are a few hundred bytes. */
const ANSWER_BYTES_MAX = 16_384;
/** Questions under way: a flood of proofs takes neither the node's sockets nor, with those of one domain, the others' turn. */
const QUESTIONS_MAX = 64;
const QUESTIONS_PER_ROUTE_MAX = 16;
const LOG_MS = 60_000;
/** What is wrong with us, not with the visitor (https://developers.google.com/recaptcha/docs/verify#error_code_reference). */
const OWN_FAULTS: readonly string[] = ['missing-input-secret', 'invalid-input-secret'];

/** Hosts that Google's script loads the rest of itself from, by the origin that it is loaded from. */
const PARTS: Readonly<Record<string, { readonly scripts: readonly string[]; readonly frames: readonly string[] }>> = {
  'https://www.google.com': {
    scripts: ['https://www.gstatic.com/recaptcha/'],
    frames: ['https://recaptcha.google.com/recaptcha/'],
  },
  'https://www.recaptcha.net': {
    scripts: ['https://www.gstatic.com/recaptcha/', 'https://www.gstatic.cn/recaptcha/'],
    frames: ['https://recaptcha.net/recaptcha/'],
  },
};

/** What nginx needs for the page: all but the secret. */
export function toRunnerRecaptcha({ site_key, script_url }: EdgeRecaptcha): RunnerRecaptcha {
  const { origin } = new URL(script_url);
  const { scripts = [], frames = [] } = PARTS[origin] ?? {};
  const own = `${origin}/recaptcha/`;
  return {
    site_key,
    script_url,
    script_sources: [own, ...scripts].join(' '),
    frame_sources: [own, ...frames].join(' '),
  };
}

interface SiteVerify {
  readonly success?: unknown;
  readonly hostname?: unknown;
  readonly 'error-codes'?: unknown;
}

async function ask({ secret_key, verify_url }: EdgeRecaptcha, question: RecaptchaQuestion): Promise<SiteVerify> {
  const response = await fetch(verify_url, {
    method: 'POST',
    body: new URLSearchParams({ secret: secret_key, response: question.token, remoteip: question.address }),
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const text = await boundedText(response.body, ANSWER_BYTES_MAX);
  if (!response.ok) throw new Error(`status ${response.status}`);
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null) throw new Error('no object');
  return answer;
}

/** Without anything of the request, which holds the secret. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return `no answer in ${ANSWER_MS} ms`;
  const { code } = (error.cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : error instanceof SyntaxError ? 'an answer that is no JSON' : error.message;
}

/** Asks Google whether visitors' answers are good (https://developers.google.com/recaptcha/docs/verify). */
export class RecaptchaVerifier {
  readonly #settings: () => EdgeRecaptcha | undefined;
  readonly #underWay = new Map<string, number>();
  #questions = 0;
  #unanswered = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(settings: () => EdgeRecaptcha | undefined) {
    this.#settings = settings;
  }

  /** `unanswered` for all that is not the visitor's fault. Never throws. */
  async verify(question: RecaptchaQuestion): Promise<RecaptchaAnswer['result']> {
    const settings = this.#settings();
    if (settings === undefined) return this.#isUnanswered('there are no keys');
    const ofRoute = this.#underWay.get(question.route_id) ?? 0;
    if (this.#questions >= QUESTIONS_MAX || ofRoute >= QUESTIONS_PER_ROUTE_MAX)
      return this.#isUnanswered('too many questions at once');
    this.#questions++;
    this.#underWay.set(question.route_id, ofRoute + 1);
    try {
      return this.#judge(await ask(settings, question), question.host);
    } catch (error) {
      return this.#isUnanswered(reasonOf(error));
    } finally {
      this.#questions--;
      const left = (this.#underWay.get(question.route_id) ?? 1) - 1;
      if (left > 0) this.#underWay.set(question.route_id, left);
      else this.#underWay.delete(question.route_id);
    }
  }

  #judge({ success, hostname, 'error-codes': codes }: SiteVerify, host: string): RecaptchaAnswer['result'] {
    // Google does not know our domains: an answer that was given on another site would be as good.
    if (success === true) return hostname === host ? 'passed' : 'refused';
    const fault = Array.isArray(codes) ? OWN_FAULTS.find((code) => codes.includes(code)) : undefined;
    if (fault !== undefined) return this.#isUnanswered(fault);
    return success === false ? 'refused' : this.#isUnanswered('an answer that says neither');
  }

  #isUnanswered(reason: string): 'unanswered' {
    this.#unanswered++;
    if (performance.now() - this.#loggedAt >= LOG_MS) {
      log.warn('Google reCAPTCHA confirms no answers', { reason, times: this.#unanswered });
      this.#loggedAt = performance.now();
      this.#unanswered = 0;
    }
    return 'unanswered';
  }
}

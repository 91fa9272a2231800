import { askAgent } from './agent-question.ts';
import type { ProvingClient } from './challenge.ts';
import type { RecaptchaAnswer, RecaptchaQuestion } from './payload.ts';
import { options } from './runner-options.ts';

/** Answers of Google reCAPTCHA that visitors show: Google knows whether they are good, and the agent asks it. */
const challenges = ngx.shared.cordon_challenges as SharedDict;
/** The agent's own time for Google's answer, and some. */
const ANSWER_MS = 3500;
/** Google's are about 2,000 characters of base64url. */
export const TOKEN_BYTES_MAX = 4096;
/** Google takes each once within two minutes (https://developers.google.com/recaptcha/docs/verify). */
const TOKEN_SECONDS = 120;

const isToken = (text: string): boolean =>
  text.length <= TOKEN_BYTES_MAX && string.match(text, '^[%w_-]+$')[0] !== undefined;

/** Takes what Google gave a visitor, once; waits for Google at most as long as the agent does. */
export function takeToken(client: ProvingClient, token: string): RecaptchaAnswer['result'] {
  if (!isToken(token)) return 'refused';
  // Google takes it once, too; here it costs no question.
  const [isFirst] = challenges.add(`g${ngx.md5_bin(token)}`, 1, TOKEN_SECONDS);
  if (isFirst !== true) return 'refused';
  if (options.agentSocket === '') return 'unanswered';
  const question: RecaptchaQuestion = {
    route_id: client.routeId,
    token,
    address: ngx.var.cordon_client ?? '',
    host: ngx.var.host ?? '',
  };
  return askAgent<RecaptchaAnswer>({ recaptcha: question }, ANSWER_MS)?.result ?? 'unanswered';
}

import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startOrigin, type TestOrigin } from './origin.ts';
import { SECRET_KEY } from './routes.ts';

/** What was asked, as Google gets it (https://developers.google.com/recaptcha/docs/verify). */
interface Asked {
  readonly method: string | undefined;
  readonly contentType: string | undefined;
  readonly form: Record<string, string>;
}

export interface Siteverify {
  readonly url: string;
  readonly port: number;
  readonly asked: Asked[];
  /** Puts something else in place of Google's own answer, until it is left out. */
  answer?: ((response: ServerResponse, form: Record<string, string>) => void) | undefined;
  /** Token that a visitor of the site is given. Each is taken once. */
  give(hostname: string): string;
  stop(): Promise<void>;
}

/** Google's siteverify on 127.0.0.1. */
export async function startSiteverify(): Promise<Siteverify> {
  const given = new Map<string, string>();
  const asked: Asked[] = [];
  let count = 0;
  const judge = ({ secret, response: token = '' }: Record<string, string>) => {
    if (secret !== SECRET_KEY) return { success: false, 'error-codes': ['invalid-input-secret'] };
    const hostname = given.get(token);
    if (hostname === undefined)
      return {
        success: false,
        'error-codes': [token.startsWith('given-') ? 'timeout-or-duplicate' : 'invalid-input-response'],
      };
    given.delete(token);
    return { success: true, challenge_ts: new Date().toISOString(), hostname };
  };
  const server: TestOrigin = await startOrigin((request, response) => {
    void text(request).then((body) => {
      const form = Object.fromEntries(new URLSearchParams(body));
      asked.push({ method: request.method, contentType: request.headers['content-type'], form });
      if (siteverify.answer) return siteverify.answer(response, form);
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(judge(form)));
    });
  });
  const siteverify: Siteverify = {
    url: `http://127.0.0.1:${server.port}/recaptcha/api/siteverify`,
    port: server.port,
    asked,
    give(hostname) {
      const token = `given-${++count}_${'x'.repeat(2000)}`;
      given.set(token, hostname);
      return token;
    },
    stop: () => server.stop(),
  };
  return siteverify;
}

import { text } from 'node:stream/consumers';
import { startOrigin } from './origin.ts';

export const SITE_KEY = 'site-key-of-the-tests';
export const SECRET_KEY = 'secret-key-of-the-tests';

/** Google reCAPTCHA on loopback: the script, the box in a frame of its own, and siteverify. */
export interface TestGoogle {
  /** Settings of the instance that is to ask it. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the page asked the box to look like, newest last: the query of its frame. */
  readonly boxes: URLSearchParams[];
  /** Siteverify answers 503. */
  isDown: boolean;
  close(): Promise<void>;
}

const script = (base: string) => `self.grecaptcha = {
  render(place, { sitekey, theme, size, callback }) {
    const frame = document.createElement('iframe');
    frame.title = 'reCAPTCHA';
    frame.width = size === 'compact' ? 164 : 304;
    frame.height = 78;
    frame.style.border = 0;
    frame.src = '${base}/recaptcha/box?' + new URLSearchParams({ sitekey, theme, size, hostname: location.hostname });
    addEventListener('message', ({ origin, data }) => { if (origin === '${base}') callback(data); });
    place.append(frame);
  },
};
self[new URL(document.currentScript.src).searchParams.get('onload')]();`;

const box = (token: string) => `<!doctype html><meta name="color-scheme" content="light"><title>reCAPTCHA</title>
<body style="margin:0;font:14px sans-serif;background:#f9f9f9;border:1px solid #d3d3d3;height:76px;box-sizing:border-box;padding:28px 12px">
<label><input type="checkbox" onclick="parent.postMessage('${token}','*')"> I’m not a robot</label>`;

export async function startGoogle(): Promise<TestGoogle> {
  const given = new Map<string, string>();
  const boxes: URLSearchParams[] = [];
  let base = '';
  const server = await startOrigin((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', base);
    if (pathname === '/recaptcha/api.js')
      return response.setHeader('content-type', 'text/javascript').end(script(base));
    if (pathname === '/recaptcha/box') {
      boxes.push(searchParams);
      const token = `token-${given.size}`;
      given.set(token, searchParams.get('hostname') ?? '');
      return response.setHeader('content-type', 'text/html; charset=utf-8').end(box(token));
    }
    if (google.isDown) return response.writeHead(503).end();
    return void text(request).then((body) => {
      const form = new URLSearchParams(body);
      const token = form.get('response') ?? '';
      const hostname = form.get('secret') === SECRET_KEY ? given.get(token) : undefined;
      given.set(token, '');
      const answer = hostname
        ? { success: true, hostname }
        : { success: false, 'error-codes': ['timeout-or-duplicate'] };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
  });
  base = `http://127.0.0.1:${server.port}`;
  const google: TestGoogle = {
    environment: {
      CORDON_RECAPTCHA_SITE_KEY: SITE_KEY,
      CORDON_RECAPTCHA_SECRET_KEY: SECRET_KEY,
      CORDON_RECAPTCHA_SCRIPT_URL: `${base}/recaptcha/api.js`,
      CORDON_RECAPTCHA_VERIFY_URL: `${base}/recaptcha/api/siteverify`,
    },
    boxes,
    isDown: false,
    close: () => server.close(),
  };
  return google;
}

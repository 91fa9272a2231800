import { createHash, randomBytes } from 'node:crypto';
import { Agent, fetch } from 'undici';

/** Every name is this machine. */
const loopback = new Agent({
  connect: { lookup: (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]) },
});

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly attributes: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null; getSetCookie(): string[] };
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly expires_in: number;
  readonly token_type: string;
  readonly scope: string;
}

interface SendOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly form?: Record<string, string>;
  readonly json?: unknown;
  /** Body as it stands. */
  readonly text?: string;
}

const attributeOf = (attributes: string, name: string): string | undefined =>
  new RegExp(`; ?${name}=([^;]*)`, 'i').exec(attributes)?.[1];

/**
 * As much of a browser as sign-in needs: cookies bound to paths, redirects step by step, forms that post themselves.
 * Every host name leads to this machine, so that brands can be opened by name.
 */
export class TestBrowser {
  readonly cookies = new Map<string, Cookie>();
  verifier = '';
  state = '';

  constructor(
    readonly origin: string,
    readonly clientId = 'cordon-console',
    readonly realm = `${origin}/auth/realms/cordon`,
  ) {}

  private cookieHeader(url: URL): string {
    const fits = (path: string) =>
      url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
    const sent = [...this.cookies.values()]
      .filter((cookie) => fits(cookie.path))
      .sort((a, b) => b.path.length - a.path.length);
    return sent.map((cookie) => `${cookie.name}=${cookie.value}`).join('; ');
  }

  private keep(headers: Answer['headers']): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...rest] = line.split(';');
      const attributes = rest.length > 0 ? `;${rest.join(';')}` : '';
      const name = pair.slice(0, pair.indexOf('='));
      const cookie = {
        name,
        value: pair.slice(pair.indexOf('=') + 1),
        path: attributeOf(attributes, 'path') ?? '/',
        attributes,
      };
      const expires = attributeOf(attributes, 'expires');
      const key = `${name};${cookie.path}`;
      if (expires !== undefined && Date.parse(expires) <= Date.now()) this.cookies.delete(key);
      else this.cookies.set(key, cookie);
    }
  }

  /** One request; redirects are not followed. */
  async send(address: string, options: SendOptions = {}): Promise<Answer> {
    const url = new URL(address, this.origin);
    const cookie = this.cookieHeader(url);
    const headers: Record<string, string> = {
      accept: 'text/html,application/json',
      ...(cookie === '' ? {} : { cookie }),
    };
    let body = options.text;
    if (options.form) {
      headers['content-type'] = 'application/x-www-form-urlencoded';
      body = new URLSearchParams(options.form).toString();
    } else if (options.json !== undefined) {
      headers['content-type'] = 'application/json';
      body = JSON.stringify(options.json);
    }
    const response = await fetch(url, {
      method: options.method ?? 'GET',
      redirect: 'manual',
      dispatcher: loopback,
      headers: { ...headers, ...options.headers },
      ...(body === undefined ? {} : { body }),
    });
    this.keep(response.headers);
    const text = await response.text();
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      parsed = undefined;
    }
    return { status: response.status, headers: response.headers, text, body: parsed };
  }

  /** Follows redirects and forms that post themselves, to the first address that belongs to the console. */
  async follow(address: string): Promise<URL> {
    let answer = await this.send(address);
    for (let step = 0; step < 10; step += 1) {
      const location = answer.headers.get('location');
      if (location !== null) {
        const url = new URL(location, this.origin);
        if (!url.pathname.startsWith('/auth/')) return url;
        answer = await this.send(url.href);
        continue;
      }
      const action = /<form [^>]*action="([^"]+)"/.exec(answer.text)?.[1];
      if (answer.status !== 200 || action === undefined || !/\.submit\(\)/.test(answer.text))
        throw new Error(`stuck at ${answer.status}: ${answer.text.slice(0, 2000)}`);
      const inputs = [...answer.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      answer = await this.send(action, {
        method: 'POST',
        form: Object.fromEntries(inputs.map((match) => [match[1] as string, match[2] as string])),
      });
    }
    throw new Error('too many redirects');
  }

  /** Address of an authorization request with a new verifier and state. */
  authorizationUrl(extra: Record<string, string> = {}): string {
    this.verifier = randomBytes(32).toString('base64url');
    this.state = randomBytes(8).toString('hex');
    const query = new URLSearchParams({
      client_id: this.clientId,
      response_type: 'code',
      redirect_uri: `${this.origin}/`,
      scope: 'openid profile email offline_access',
      resource: `${this.origin}/api/v1/`,
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: this.state,
      ...extra,
    });
    return `${this.realm}/protocol/openid-connect/auth?${query}`;
  }

  authorize(extra: Record<string, string> = {}): Promise<URL> {
    return this.follow(this.authorizationUrl(extra));
  }

  /** Id of the interaction that the console's page was opened for. */
  uidOf(page: URL): string {
    const uid = /interaction=([\w-]+)/.exec(page.hash)?.[1];
    if (uid === undefined) throw new Error(`no interaction in ${page}`);
    return uid;
  }

  interaction(page: URL): Promise<Answer> {
    return this.send(`${this.realm}/interaction/${this.uidOf(page)}`, { headers: { accept: 'application/json' } });
  }

  /** What the console's page posts. */
  submit(
    page: URL,
    action: 'login' | 'register',
    json: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const options = { method: 'POST', json, headers: { origin: this.origin, ...headers } };
    return this.send(`${this.realm}/interaction/${this.uidOf(page)}/${action}`, options);
  }

  async exchange(callback: URL, extra: Record<string, string> = {}): Promise<Answer> {
    const form = {
      grant_type: 'authorization_code',
      client_id: this.clientId,
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: `${callback.origin}${callback.pathname}`,
      code_verifier: this.verifier,
      ...extra,
    };
    return this.send(`${this.realm}/protocol/openid-connect/token`, {
      method: 'POST',
      form,
      headers: { origin: this.origin, accept: 'application/json' },
    });
  }

  refresh(token: string, extra: Record<string, string> = {}): Promise<Answer> {
    const form = { grant_type: 'refresh_token', client_id: this.clientId, refresh_token: token, ...extra };
    return this.send(`${this.realm}/protocol/openid-connect/token`, {
      method: 'POST',
      form,
      headers: { origin: this.origin, accept: 'application/json' },
    });
  }

  /** From a submitted form to tokens. */
  async finish(answer: Answer): Promise<Tokens> {
    if (answer.status !== 200) throw new Error(`the form was refused: ${answer.text}`);
    const tokens = await this.exchange(await this.follow(answer.body.redirect_to));
    if (tokens.status !== 200) throw new Error(`the code was refused: ${tokens.text}`);
    return tokens.body as Tokens;
  }

  async register(email: string, password: string, extra: Record<string, unknown> = {}): Promise<Tokens> {
    const page = await this.authorize({ prompt: 'create' });
    return this.finish(
      await this.submit(page, 'register', { email, password, locale: 'en', terms_version: '1', ...extra }),
    );
  }

  async login(email: string, password: string): Promise<Tokens> {
    return this.finish(await this.submit(await this.authorize(), 'login', { email, password }));
  }
}

import { Agent, request } from 'node:http';
import { GUESSERS, visitorAddress } from './addresses.ts';

export interface VisitorOptions {
  readonly edge: { readonly host: string; readonly httpPort: number };
  /** Value of `Cordon-Demo-Secret`: with it the edge takes the visitor's address from X-Forwarded-For. */
  readonly secret: string;
  readonly domains: readonly { readonly name: string; readonly weight: number }[];
  /** The domain whose login some of them try passwords at. */
  readonly guessedDomain: string;
}

export interface Visitors {
  stop(): void;
}

const REQUESTS_PER_SECOND = 20;
/** When the edge is slow, visitors wait in line instead of piling up. */
const IN_FLIGHT_MAX = 30;
const TIMEOUT_MS = 10_000;
const UNWELCOME_ONE_IN = 14;
const GUESSES_ONE_IN = 25;

const USER_AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'curl/8.10.1',
  'python-requests/2.32.3',
] as const;

interface Visit {
  readonly method: string;
  readonly path: string;
  readonly weight: number;
  readonly bodyBytes?: number;
}

const VISITS: readonly Visit[] = [
  { method: 'GET', path: '/', weight: 22 },
  { method: 'GET', path: '/products', weight: 10 },
  { method: 'GET', path: '/products/lamp', weight: 6 },
  { method: 'GET', path: '/products/chair?color=red', weight: 5 },
  { method: 'GET', path: '/blog', weight: 6 },
  { method: 'GET', path: '/blog/2024-review', weight: 4 },
  { method: 'GET', path: '/about', weight: 3 },
  { method: 'GET', path: '/assets/site.css', weight: 10 },
  { method: 'GET', path: '/assets/site.js', weight: 10 },
  { method: 'GET', path: '/assets/photo.jpg', weight: 6 },
  { method: 'GET', path: '/api/products', weight: 6 },
  { method: 'HEAD', path: '/', weight: 2 },
  { method: 'OPTIONS', path: '/echo', weight: 1 },
  { method: 'POST', path: '/upload', weight: 2, bodyBytes: 4096 },
  { method: 'POST', path: '/echo?form=contact', weight: 2, bodyBytes: 512 },
  { method: 'PUT', path: '/upload', weight: 1, bodyBytes: 1024 },
  { method: 'DELETE', path: '/status/204', weight: 1 },
  { method: 'GET', path: '/status/301', weight: 2 },
  { method: 'GET', path: '/status/403', weight: 1 },
  { method: 'GET', path: '/old-page', weight: 3 },
  { method: 'GET', path: '/wp-login.php', weight: 2 },
  { method: 'GET', path: '/status/500', weight: 1 },
  { method: 'GET', path: '/status/503', weight: 1 },
  { method: 'GET', path: '/slow?ms=300', weight: 1 },
  { method: 'GET', path: '/bytes/200000', weight: 2 },
];

/** Sends real requests through the edge, about 20 a second, until stopped. Failures are the dashboard's to show. */
export function startVisitors(options: VisitorOptions): Visitors {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  let inFlight = 0;
  const timer = setInterval(() => {
    // Uneven, as people are; the average stays.
    if (inFlight >= IN_FLIGHT_MAX || Math.random() < 0.3) return;
    inFlight += 1;
    visit(options, agent, () => {
      inFlight -= 1;
    });
  }, 700 / REQUESTS_PER_SECOND);
  return {
    stop() {
      clearInterval(timer);
      agent.destroy();
    },
  };
}

interface Visiting extends Omit<Visit, 'weight'> {
  readonly host: string;
  readonly address: string;
}

function drawVisit({ domains, guessedDomain }: VisitorOptions): Visiting {
  if (Math.random() < 1 / GUESSES_ONE_IN) {
    const address = GUESSERS[Math.floor(Math.random() * GUESSERS.length)] ?? GUESSERS[0];
    return { host: guessedDomain, address, method: 'POST', path: '/login', bodyBytes: 48 };
  }
  return { host: weighted(domains).name, address: visitorAddress(Math.random, UNWELCOME_ONE_IN), ...weighted(VISITS) };
}

function visit(options: VisitorOptions, agent: Agent, done: () => void): void {
  const { host, address, method, path, bodyBytes } = drawVisit(options);
  const req = request({
    host: options.edge.host,
    port: options.edge.httpPort,
    method,
    path,
    agent,
    timeout: TIMEOUT_MS,
    headers: {
      Host: host,
      'User-Agent': USER_AGENTS[Math.floor(Math.random() ** 2 * USER_AGENTS.length)],
      'X-Forwarded-For': address,
      'Cordon-Demo-Secret': options.secret,
      ...(bodyBytes ? { 'Content-Length': bodyBytes, 'Content-Type': 'application/octet-stream' } : {}),
    },
  });
  req.once('close', done);
  req.on('timeout', () => req.destroy());
  req.on('error', () => {});
  req.on('response', (res) => res.resume());
  req.end(bodyBytes ? Buffer.alloc(bodyBytes, 'x') : undefined);
}

function weighted<Item extends { readonly weight: number }>(items: readonly Item[]): Item {
  let at = Math.random() * items.reduce((sum, { weight }) => sum + weight, 0);
  const found = items.find(({ weight }) => {
    at -= weight;
    return at < 0;
  });
  if (!found) throw new RangeError('nothing to choose from');
  return found;
}

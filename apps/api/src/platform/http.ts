import { randomUUID } from 'node:crypto';
import { API_BASE, BODY_BYTES_MAX, operations } from '@cordon/contract';
import helmet from '@fastify/helmet';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Environment } from '../settings/env.ts';
import { AppError, errorBody, fromFrameworkError } from './errors.ts';
import { bindJsonParser } from './json-body.ts';
import type { Log } from './log.ts';

/** Names of the machine itself, whatever port the server has. */
const LOOPBACK_HOSTNAMES = ['127.0.0.1', 'localhost', '[::1]'];

export interface HttpOptions {
  readonly env: Environment;
  readonly log: Log;
  /** Names that the console answers to, besides the origin's and loopback. */
  readonly hostnames: ReadonlySet<string>;
}

/** The server with everything that is the same for all routes: errors, hosts, request ids, headers. No routes yet. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { env, log } = options;
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // What is logged of a request names its id; a logger for each would cost more than most of them.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_BYTES_MAX,
    genReqId: () => randomUUID().replaceAll('-', ''),
    trustProxy: env.trustedProxies.length > 0 ? [...env.trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    forceCloseConnections: true,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, req, reply) => void sendError(error, req, reply),
  }) as unknown as FastifyInstance;
  app.decorateRequest('principal', undefined);
  bindJsonParser(app);
  app.addContentTypeParser('application/x-ndjson', (_req, payload, done) => done(null, payload));
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((req, reply) => sendError(unknownRoute(req), req, reply));

  const allowHost = hostCheck(env, options.hostnames);
  const headers = await securityHeaders(env);
  const apiHeaders = { ...headers, 'cache-control': 'no-store' };
  app.addHook('onRequest', (req, reply, next) => {
    // Straight to Node's response, so that they also stand on pages of the identity provider, which writes its own.
    const set = req.url.startsWith(API_BASE) ? apiHeaders : headers;
    for (const name in set) reply.raw.setHeader(name, set[name as keyof typeof set]);
    reply.raw.setHeader('x-request-id', req.id);
    if (allowHost(req)) next();
    else next(new AppError('BAD_REQUEST', { status: 421, message: 'This server does not answer to that host name.' }));
  });
  if (log.isLevelEnabled('debug')) {
    app.addHook('onResponse', async (req, reply) => {
      const { principal } = req;
      const account = principal && 'account_id' in principal ? principal.account_id : undefined;
      const ms = Math.round(reply.elapsedTime);
      log.debug({ req, request_id: req.id, status: reply.statusCode, ms, account }, 'answered');
    });
  }
  return app;
}

/** Everything thrown ends here: known failures in our shape, all others as 500, logged with everything. */
async function sendError(error: unknown, req: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const known = fromFrameworkError(error);
  if (!known) req.log.error({ err: error, req, request_id: req.id }, 'a request failed');
  else if (known.status >= 500) req.log.error({ err: known, req, request_id: req.id }, 'a request failed');
  const shown = known ?? new AppError('INTERNAL');
  if (shown.status === 401) reply.header('www-authenticate', 'Bearer');
  const seconds = shown.params.TOO_MANY_REQUESTS?.seconds;
  if (seconds !== undefined) reply.header('retry-after', String(seconds));
  if (shown.status === 405) reply.header('allow', String(shown.params.METHOD_NOT_ALLOWED?.allow ?? ''));
  return reply
    .code(shown.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(shown, req.id)));
}

const patterns = Object.values(operations).map((operation) => ({
  method: operation.method,
  pattern: new RegExp(`^${API_BASE}${operation.path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '')}/?$`),
}));

function unknownRoute(req: FastifyRequest): AppError {
  const path = req.url.split('?')[0] ?? '';
  const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  if (methods.length === 0 || methods.includes(req.method as 'GET'))
    return new AppError('NOT_FOUND', { message: 'There is nothing at this address.' });
  return new AppError('METHOD_NOT_ALLOWED', { params: { METHOD_NOT_ALLOWED: { allow: methods.join(', ') } } });
}

/** What is not HTTP, or too large to be read, has no request object. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const body = JSON.stringify({
    success: false,
    code: 'BAD_REQUEST',
    message: 'The request is malformed.',
    request_id: randomUUID().replaceAll('-', ''),
  });
  socket.end(
    `HTTP/1.1 ${status} ${status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Unknown hosts are refused (security design, "Sign-in"): a page elsewhere must not rebind its name to us. */
function hostCheck(env: Environment, hostnames: ReadonlySet<string>): (req: FastifyRequest) => boolean {
  const origin = new URL(env.origin);
  const known = new Set([...hostnames, ...LOOPBACK_HOSTNAMES, origin.hostname]);
  const health = new Set(['/healthz', '/readyz']);
  return (req) => {
    // Load balancers ask for health by whatever address they have.
    if (health.has(req.url)) return true;
    const host = req.headers.host?.toLowerCase();
    if (host === undefined) return false;
    if (host === origin.host) return true;
    const match = /^(\[[0-9a-f:.]+\]|[^:]+)(?::(\d+))?$/.exec(host);
    if (!match?.[1] || !known.has(match[1])) return false;
    const port = match[2] ?? '';
    return port === origin.port || port === String(req.socket.localPort) || port === String(env.port);
  };
}

/**
 * What helmet sets with our policy. Asked once at start: its plugin puts the policy together anew for every request,
 * which costs a tenth of a page of the domain list.
 */
async function securityHeaders(env: Environment): Promise<Record<string, string>> {
  const probe = fastify();
  const plain = await probe.get('/', async () => '').inject('/');
  const protectedProbe = fastify();
  await protectedProbe.register(helmet, helmetOptions(env));
  const full = await protectedProbe.get('/', async () => '').inject('/');
  const added = Object.entries(full.headers).filter(([name]) => !(name in plain.headers));
  return Object.fromEntries(added.map(([name, value]) => [name, String(value)]));
}

function helmetOptions(env: Environment) {
  const origin = new URL(env.origin);
  const issuer = env.hasExternalIssuer ? [new URL(env.oidcIssuer).origin] : [];
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // Libraries that place pop-ups set style attributes; they run no code.
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...issuer],
        // The silent sign-in check runs in a frame.
        frameSrc: ["'self'", ...issuer],
        frameAncestors: ["'self'"],
        formAction: ["'self'", ...issuer],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
      },
    },
    strictTransportSecurity: origin.protocol === 'https:' ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'same-origin' as const },
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'sameorigin' as const },
  };
}

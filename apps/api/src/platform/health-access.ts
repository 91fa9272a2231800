import { parseAddress, specialAddressKind } from '@cordon/contract';
import type { FastifyRequest } from 'fastify';
import { equalSecrets } from './secrets.ts';

/** What proxies add to a request that they pass on. */
const FORWARDING = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

const isLoopback = (text: string): boolean => {
  const address = parseAddress(text.replace(/^::ffff:(?=\d+\.)/i, ''));
  return address !== undefined && specialAddressKind(address) === 'loopback';
};

/** Whether the request comes from this machine, and not through a proxy on it that we were not told to believe. */
function isFromHere({ ip, socket, headers }: FastifyRequest): boolean {
  const isVisitor = ip !== socket.remoteAddress;
  if (!isVisitor && FORWARDING.some((name) => headers[name] !== undefined)) return false;
  // The launcher asks by the address that the server listens on, which need not be loopback.
  return isLoopback(ip) || (!isVisitor && ip === socket.localAddress);
}

/** Who may read the parts of `/readyz` and `/metrics`: this machine, and who has the token, where there is one. */
export function mayReadHealth(req: FastifyRequest, token: string | undefined): boolean {
  const bearer = /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1];
  if (token !== undefined && bearer !== undefined && equalSecrets(bearer, token)) return true;
  return isFromHere(req);
}

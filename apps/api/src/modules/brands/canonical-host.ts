import type { FastifyInstance } from 'fastify';
import type { Brands } from './service.ts';

/**
 * Each brand has one address; pages asked for under another of its names are sent there. Sign-in needs it: cookies,
 * redirect addresses and the issuer belong to one name. Calls of the API are answered under any of the names.
 */
export function redirectToCanonicalHost(app: FastifyInstance, brands: Brands): void {
  app.addHook('onRequest', async (req, reply) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return;
    const isPage =
      req.url === '/' || req.url.startsWith('/?') || req.url.startsWith('/index.html') || req.url.startsWith('/auth/');
    if (!isPage) return;
    const brand = brands.byHostname(req.hostname);
    if (brand === undefined || new URL(brand.origin).hostname === req.hostname.toLowerCase()) return;
    return reply.redirect(brand.origin + req.url, 307);
  });
}

import type { HeaderField } from '@cordon/plugin-kit/edge';
import { usesTls } from './hand-over.ts';
import type { PreparedRoute } from './prepared-route.ts';

/** What the origin of a route is asked with, besides the visitor's own fields and those of nginx.conf.template. */
const ORIGIN_KEY_HEADER = 'Cordon-Origin-Key';

function setOriginField({ name, value }: HeaderField): void {
  ngx.req.set_header(name, value);
}

function setMany(fields: readonly HeaderField[]): void {
  for (const field of fields) setOriginField(field);
}

/** Few, as most routes have, without a loop: LuaJIT compiles nothing that leads to one. */
export function setOriginFields(route: PreparedRoute): void {
  const { originKey } = route;
  const fields = route.originFields;
  if (originKey !== undefined) ngx.req.set_header(ORIGIN_KEY_HEADER, originKey);
  if (fields.length > 3) {
    setMany(fields);
    return;
  }
  if (fields.length > 0) setOriginField(fields[0] as HeaderField);
  if (fields.length > 1) setOriginField(fields[1] as HeaderField);
  if (fields.length > 2) setOriginField(fields[2] as HeaderField);
}

/** Has nginx ask the origin under its name, over TLS or not. */
export function aimAtOrigin({ upstream }: PreparedRoute, isTls: boolean): void {
  if (upstream === undefined) return;
  if (upstream.originHost !== undefined) ngx.var.cordon_origin_host = upstream.originHost;
  if (usesTls(upstream, isTls))
    ngx.var.cordon_upstream = upstream.tlsKeepalive ? 'https://origin_tls' : 'https://origin_tls_once';
}

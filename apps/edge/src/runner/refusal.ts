import * as json from 'cjson.safe';
import { pageLanguage, prefersJson } from './accept.ts';
import { pageObject, renderHtml } from './page.ts';
import type { PageKind } from './page-texts.ts';
import type { RunnerBrand } from './payload.ts';

/** Notes for the log what decided the request: plugin, action, reason, rule. The agent takes the text apart again. */
export function noteVerdict(plugin: string, action: string, reason: string, rule: string): void {
  ngx.var.cordon_verdict = `${plugin}\t${action}\t${reason}\t${rule}`;
}

/** Answers with a page of ours, as HTML or JSON, in the visitor's language. The request ends here. */
export function sendPage(kind: PageKind, status: number, code: string, brand: RunnerBrand | undefined): void {
  const content = {
    kind,
    status,
    language: pageLanguage(ngx.var.http_accept_language),
    requestId: ngx.var.request_id ?? '',
    brand,
  };
  const asJson = prefersJson(ngx.var.http_accept);
  const body = asJson ? json.encode(pageObject(content, code)) : renderHtml(content);
  // What is left of a body would otherwise be read as the next request of the connection.
  ngx.req.discard_body();
  ngx.status = status;
  ngx.header['Content-Type'] = asJson ? 'application/json' : 'text/html; charset=utf-8';
  ngx.header['Content-Length'] = body.length;
  ngx.header['Cache-Control'] = 'no-store';
  ngx.header.Vary = 'Accept, Accept-Language';
  ngx.header['Content-Security-Policy'] = "default-src 'none'; style-src 'unsafe-inline'";
  ngx.header['X-Content-Type-Options'] = 'nosniff';
  if (ngx.req.get_method() !== 'HEAD') ngx.print(body);
  ngx.exit(status);
}

/** Answers with a redirect without a body. The request ends here. */
export function sendRedirect(status: number, location: string): void {
  ngx.req.discard_body();
  ngx.status = status;
  ngx.header.Location = location;
  ngx.header['Content-Length'] = 0;
  ngx.send_headers();
  ngx.exit(status);
}

/** Refuses for a reason of the edge's own. */
export function refuse(kind: PageKind, status: number, reason: string, brand: RunnerBrand | undefined): void {
  noteVerdict('', 'block', reason, '');
  sendPage(kind, status, reason, brand);
}

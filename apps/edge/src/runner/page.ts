import { type PageKind, pageBody, pageLabels, pageTexts } from './page-texts.ts';
import type { RunnerBrand } from './payload.ts';

/** In the place of what is different for each visitor (page-cache.ts). */
export const MARK = '@mark@';

/** What a page of the edge shows. Nothing of it reveals how the site behind is configured. */
export interface PageContent {
  readonly kind: PageKind;
  readonly status: number;
  readonly language: 'en' | 'zh';
  readonly requestId: string;
  readonly brand: RunnerBrand | undefined;
  /** The request's row of the log names a domain, whose owner finds it. */
  readonly isOfDomain: boolean;
  /** Of `retryTime`. */
  readonly retryIn?: string;
}

export const STYLE = `:root{color-scheme:light dark;--ink:#16181d;--soft:#5b6270;--line:#e4e7ec;--ground:#f7f8fa;--card:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#eceef2;--soft:#9aa3b2;--line:#2a2f39;--ground:#0f1115;--card:#171a21}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--ground);
color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"PingFang SC","Microsoft YaHei",sans-serif}
main{width:100%;max-width:520px;background:var(--card);border:1px solid var(--line);border-top:3px solid var(--accent);
border-radius:12px;padding:36px 36px 28px}small{color:var(--soft);font-size:14px}h1{margin:4px 0 12px;font-size:26px;line-height:1.25}
p{margin:0 0 24px}dl{margin:0;padding-top:20px;border-top:1px solid var(--line);display:grid;grid-template-columns:auto 1fr;
gap:6px 16px;font-size:14px}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}code{font-family:ui-monospace,monospace}
a{color:inherit;word-break:break-all}footer{margin-top:20px;color:var(--soft);font-size:13px}
@media(max-width:420px){body{padding:12px}main{padding:28px 24px 20px}dl{display:block}dd+dt{margin-top:8px}}`;

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** For `ngx.print`: the first marks of a page hold `values`, and all others the id of the request. */
export function fillPage(parts: readonly string[], requestId: string, values: readonly string[] = []): string[] {
  const page = [parts[0] as string];
  for (let at = 1; at < parts.length; at++) {
    page.push(at <= values.length ? (values[at - 1] as string) : requestId);
    page.push(parts[at] as string);
  }
  return page;
}

/** Kinds of pages that say themselves what their owner has to do, or that are not about the domain. */
const WITHOUT_LINK: readonly PageKind[] = ['not_pointed', 'deactivated', 'suspended', 'misdirected'];

/** Where the owner of the domain finds the request in the console. */
export const requestUrl = (brand: RunnerBrand, requestId: string): string =>
  `${brand.console_url}/#/domain/list?request=${requestId}`;

const hasRequestUrl = (
  brand: RunnerBrand | undefined,
  { kind, isOfDomain }: { readonly kind?: PageKind; readonly isOfDomain: boolean },
): brand is RunnerBrand =>
  isOfDomain && brand !== undefined && brand.console_url !== '' && (kind === undefined || !WITHOUT_LINK.includes(kind));

function isColor(text: string): boolean {
  if (text.length < 4 || text.length > 9 || text.charCodeAt(0) !== 35) return false;
  for (let at = 1; at < text.length; at++) {
    if (!'0123456789abcdefABCDEF'.includes(text.charAt(at))) return false;
  }
  return true;
}

/** A self-contained HTML page: no script, nothing loaded from anywhere. */
export function renderHtml(content: PageContent): string {
  const { language, status, kind, retryIn } = content;
  const { title } = pageTexts[language][kind];
  return frame(
    content,
    `${status} ${title}`,
    `<small>${status}</small><h1>${title}</h1><p>${pageBody(language, kind, retryIn)}</p>`,
    '',
  );
}

/** A page of the edge around what is special about it: in the brand and the language, with the request's id below. `head` is put behind the style. */
export function frame(
  content: Omit<PageContent, 'kind' | 'status'> & { readonly kind?: PageKind },
  title: string,
  body: string,
  head: string,
): string {
  const { brand, language } = content;
  const labels = pageLabels[language];
  const accent = brand !== undefined && isColor(brand.primary_color) ? brand.primary_color : '#3b5bdb';
  const facts = [`<dt>${labels.requestId}</dt><dd><code>${escapeHtml(content.requestId)}</code></dd>`];
  if (hasRequestUrl(brand, content)) {
    const url = escapeHtml(requestUrl(brand, content.requestId));
    facts.push(`<dt>${labels.owner}</dt><dd><a href="${url}" rel="nofollow noreferrer">${url}</a></dd>`);
  }
  if (brand !== undefined && brand.abuse_contact !== '') {
    const contact = escapeHtml(brand.abuse_contact);
    const target = brand.abuse_contact.includes('://') ? contact : `mailto:${contact}`;
    facts.push(`<dt>${labels.abuse}</dt><dd><a href="${target}" rel="nofollow">${contact}</a></dd>`);
  }
  const footer =
    brand === undefined || brand.hides_provider
      ? ''
      : `<footer>${labels.protectedBy}<strong>${escapeHtml(brand.name)}</strong></footer>`;
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${STYLE}</style>${head}</head>
<body style="--accent:${accent}"><main>${body}<dl>${facts.join('')}</dl>${footer}</main></body></html>
`;
}

/** Whom to ask about a request, for `json.encode`: its owner by the link, the provider by the address. */
export const contactsOf = (
  content: Pick<PageContent, 'brand' | 'requestId' | 'isOfDomain'> & { readonly kind?: PageKind },
): Record<string, string> => ({
  ...(hasRequestUrl(content.brand, content) ? { request_url: requestUrl(content.brand, content.requestId) } : {}),
  ...(content.brand !== undefined && content.brand.abuse_contact !== ''
    ? { abuse_contact: content.brand.abuse_contact }
    : {}),
});

/** The same for `json.encode`. */
export function pageObject(content: PageContent, code: string): Record<string, string | number | boolean> {
  return {
    success: false,
    status: content.status,
    code: code.toUpperCase(),
    message: pageBody(content.language, content.kind, content.retryIn),
    request_id: content.requestId,
    ...contactsOf(content),
  };
}

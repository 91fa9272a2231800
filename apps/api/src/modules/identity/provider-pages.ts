import { createHash } from 'node:crypto';
import type { errors, KoaContextWithOIDC } from 'oidc-provider';

/** The few pages that the provider itself shows. They say little, in both languages, and need no other file. */

const STYLE = `
:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;background:#f6f7fb;color:#10182b}
main{max-width:26rem;margin:1rem;padding:2rem;border:1px solid #e4e7ee;border-radius:12px;background:#fff}
h1{margin:0 0 .5rem;font-size:1.125rem}p{margin:0 0 1rem;color:#5b6476}
button,a.button{display:inline-block;margin:0 .5rem 0 0;padding:.5rem 1rem;border:1px solid #c9cfdb;border-radius:8px;background:none;color:inherit;font:inherit;text-decoration:none;cursor:pointer}
@media(prefers-color-scheme:dark){body{background:#101217;color:#e8ebf2}main{background:#171a21;border-color:#272c37}p{color:#98a1b3}button,a.button{border-color:#3b4251}}`;
const SUBMIT = "document.getElementById('op.logoutForm').submit()";

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only our own style and script; the provider adds the hash of its form that posts itself. */
export const PAGE_POLICY = `default-src 'none';style-src ${hashOf(STYLE)};script-src ${hashOf(SUBMIT)};form-action 'self';frame-ancestors 'self';base-uri 'none'`;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);

interface Words {
  readonly title: string;
  readonly text: string;
}

const speaksChinese = (ctx: KoaContextWithOIDC): boolean => ctx.acceptsLanguages('en', 'zh') === 'zh';

function show(ctx: KoaContextWithOIDC, words: { en: Words; zh: Words }, rest: string, brandName: string): void {
  const lang = speaksChinese(ctx) ? 'zh' : 'en';
  const { title, text } = words[lang];
  ctx.type = 'html';
  ctx.body = `<!DOCTYPE html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(
    `${title} – ${brandName}`,
  )}</title><style>${STYLE}</style></head><body><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${rest}</main></body></html>`;
}

/**
 * Who comes with the ID token of this very session (the console does) is signed out without a question; a link from
 * elsewhere asks first.
 */
export function logoutPage(ctx: KoaContextWithOIDC, form: string, brandName: string): void {
  const hint = ctx.oidc.entities.IdTokenHint as { payload?: { sub?: string } } | undefined;
  const isOwn = hint?.payload?.sub !== undefined && hint.payload.sub === ctx.oidc.session?.accountId;
  const zh = speaksChinese(ctx);
  const fields = isOwn ? form.replace('</form>', '<input type="hidden" name="logout" value="yes"/></form>') : form;
  const buttons = isOwn
    ? `<noscript><button type="submit" form="op.logoutForm">${zh ? '继续' : 'Continue'}</button></noscript><script>${SUBMIT}</script>`
    : `<button autofocus type="submit" form="op.logoutForm" name="logout" value="yes">${zh ? '退出登录' : 'Sign out'}</button>
       <button type="submit" form="op.logoutForm">${zh ? '保持登录' : 'Stay signed in'}</button>`;
  const words = {
    en: { title: 'Sign out', text: isOwn ? 'Signing you out…' : 'Do you want to sign out?' },
    zh: { title: '退出登录', text: isOwn ? '正在退出…' : '确定要退出登录吗？' },
  };
  show(ctx, words, fields + buttons, brandName);
}

const backLink = (ctx: KoaContextWithOIDC, origin: string): string =>
  `<a class="button" href="${escaped(`${origin}/`)}">${speaksChinese(ctx) ? '返回控制台' : 'Go to the console'}</a>`;

export function signedOutPage(ctx: KoaContextWithOIDC, brandName: string, origin: string): void {
  const words = {
    en: { title: 'Signed out', text: 'You are signed out. You can close this page.' },
    zh: { title: '已退出登录', text: '您已退出登录，可以关闭此页面。' },
  };
  show(ctx, words, backLink(ctx, origin), brandName);
}

/** An error that cannot be handed back to the application, such as an expired sign-in. */
export function errorPage(
  ctx: KoaContextWithOIDC,
  out: errors.OIDCProviderError | object,
  brandName: string,
  origin: string,
): void {
  const { error = 'server_error', error_description = '' } = out as { error?: string; error_description?: string };
  const words = {
    en: {
      title: 'Sign-in cannot continue',
      text: 'This sign-in has expired or is not valid. Start again from the console.',
    },
    zh: { title: '无法继续登录', text: '此登录请求已过期或无效，请返回控制台重新开始。' },
  };
  const details = `<p><small>${escaped(`${error} ${error_description}`.trim())}</small></p>`;
  show(ctx, words, details + backLink(ctx, origin), brandName);
}

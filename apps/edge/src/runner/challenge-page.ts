import { CHALLENGE_STATUS } from '@cordon/plugin-kit/challenge';
import type { ChallengeWay } from '@cordon/plugin-kit/edge';
import { type Challenge, PROOF_PARTS } from './challenge.ts';
import { CHALLENGE_SCRIPT } from './challenge-script.ts';
import { escapeHtml, frame } from './page.ts';
import type { RunnerBrand } from './payload.ts';

/** Where proofs are shown. */
export const CHALLENGE_PATH = '/.well-known/cordon/challenge';

const texts = {
  en: {
    title: 'Checking your browser',
    body: 'This site asks visitors to prove that they are not a program. Your browser is doing that now; it takes a few seconds.',
    working: 'Checking …',
    done: 'Done. Loading the page …',
    failed: 'The check did not succeed. Try again.',
    network: 'Please check your network, then try again.',
    cookies: 'This check needs cookies. Allow them for this site, then try again.',
    noScript: 'This check needs JavaScript. Switch it on for this site, then reload the page.',
    retry: 'Try again',
  },
  zh: {
    title: '正在检查您的浏览器',
    body: '本站要求访客证明自己不是程序。您的浏览器正在自动完成验证，只需几秒钟。',
    working: '正在验证…',
    done: '验证通过，正在打开页面…',
    failed: '验证未通过，请重试。',
    network: '请检查您的网络，然后重试。',
    cookies: '此验证需要 Cookie。请为本站允许 Cookie，然后重试。',
    noScript: '此验证需要 JavaScript。请为本站启用 JavaScript，然后刷新页面。',
    retry: '重试',
  },
} as const;

/** What a page shows that is the same for many visitors. */
export interface ChallengePage {
  readonly language: 'en' | 'zh';
  readonly brand: RunnerBrand | undefined;
  readonly way: ChallengeWay;
}

const MARK = '@mark@';
const STYLE = `<style>progress{width:100%;height:8px;accent-color:var(--accent)}#say{margin:12px 0 24px}button{font:inherit;color:#fff;background:var(--accent);
border:0;border-radius:8px;padding:10px 20px;margin:0 0 24px;cursor:pointer}[hidden]{display:none}</style>`;

function render({ language, brand }: ChallengePage): string {
  const text = texts[language];
  const body = `<h1>${text.title}</h1><p>${text.body}</p><progress max="${PROOF_PARTS}" value="0" aria-labelledby="say"></progress>
<p id="say" role="status">${text.working}</p><noscript><p>${text.noScript}</p></noscript><button type="button" hidden>${text.retry}</button>`;
  const page = frame({ language, brand, requestId: MARK }, text.title, body, STYLE);
  const words = (['done', 'failed', 'network', 'cookies'] as const)
    .map((name) => `data-${name}="${escapeHtml(text[name])}"`)
    .join(' ');
  const head = `<main data-path="${CHALLENGE_PATH}" data-parts="${PROOF_PARTS}" ${words} data-challenge="${MARK}" data-seed="${MARK}" data-bits="${MARK}">`;
  return page
    .replace('<main>', () => head)
    .replace('</main>', () => `</main><script nonce="${MARK}">${CHALLENGE_SCRIPT}</script>`);
}

const pagesOfBrands = setmetatable(new LuaTable<object, LuaTable<string, readonly string[]>>(), { __mode: 'k' });
const NO_BRAND = {};

/** The page in parts, for `ngx.print`; rendered when this worker has not shown it yet (page-cache.ts). */
export function findChallengePage(page: ChallengePage, requestId: string, challenge: Challenge): string[] {
  const brand = page.brand ?? NO_BRAND;
  let pages = pagesOfBrands.get(brand) as LuaTable<string, readonly string[]> | undefined;
  if (pages === undefined) {
    pages = new LuaTable();
    pagesOfBrands.set(brand, pages);
  }
  const key = `${page.language} ${page.way}`;
  let parts = pages.get(key) as readonly string[] | undefined;
  if (parts === undefined) {
    parts = render(page).split(MARK);
    pages.set(key, parts);
  }
  const [start, afterText, afterSeed, afterBits, afterId, end] = parts as string[];
  return [
    start as string,
    challenge.text,
    afterText as string,
    challenge.seed,
    afterSeed as string,
    `${challenge.bits}`,
    afterBits as string,
    requestId,
    afterId as string,
    requestId,
    end as string,
  ];
}

/** What clients that do not accept HTML get, for `json.encode`. */
export function challengeObject(page: ChallengePage & { readonly requestId: string }): Record<string, unknown> {
  return {
    success: false,
    status: CHALLENGE_STATUS,
    code: 'CHALLENGE_REQUIRED',
    message: texts[page.language].body,
    challenge: page.way,
    request_id: page.requestId,
  };
}

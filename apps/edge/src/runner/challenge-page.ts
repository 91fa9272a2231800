import { CHALLENGE_STATUS } from '@cordon/plugin-kit/challenge';
import type { ChallengeWay } from '@cordon/plugin-kit/edge';
import { type Challenge, PROOF_PARTS } from './challenge.ts';
import { CHALLENGE_SCRIPT } from './challenge-script.ts';
import { contactsOf, escapeHtml, fillPage, frame, MARK } from './page.ts';
import { partsOfPage } from './page-cache.ts';
import type { RunnerBrand, RunnerRecaptcha } from './payload.ts';
import { PICTURE_HEIGHT, PICTURE_WIDTH, PIECE_SIZE } from './puzzle-picture.ts';

/** Ways whose proof is work or an answer. */
export type ProofWay = Exclude<ChallengeWay, 'wait'>;

/** Where proofs are shown. */
export const CHALLENGE_PATH = '/.well-known/cordon/challenge';

const texts = {
  en: {
    title: {
      js: 'Checking your browser',
      google_recaptcha: 'Confirm that you are human',
      puzzle: 'Solve the puzzle to continue',
    },
    body: {
      js: 'This site checks that visitors are human. Your browser does this automatically; it takes a few seconds.',
      google_recaptcha: 'This site uses Google reCAPTCHA to check that visitors are human.',
      puzzle: 'This site checks that visitors are human.',
    },
    working: { js: 'Checking…', google_recaptcha: 'Loading reCAPTCHA…', puzzle: 'Preparing the puzzle…' },
    checking: 'Checking…',
    done: 'Done. Loading the page…',
    failed: 'It may have taken too long, or your network may have changed. Try again.',
    missed: 'Not quite. Try this one.',
    misses: 'The piece was not in the gap. Try again.',
    network: 'The site could not be reached. Check your network, then try again.',
    cookies: 'This check needs cookies. Allow them for this site, then try again.',
    unanswered: 'Google did not answer. Your browser can do a check instead.',
    instead: 'Continue without Google',
    blocked: 'reCAPTCHA could not be loaded. Allow content from Google or check your network, then try again.',
    noScript: {
      title: 'Allow JavaScript to continue',
      body: 'This site checks that visitors are human, and the check needs JavaScript. Allow it for this site, then try again.',
    },
    stopped: 'The check was not completed',
    retry: 'Try again',
    object: 'This site checks that visitors are human. Open this address in a browser to complete the check.',
    move: 'Drag the piece into the gap, or move it with the arrow keys (by single pixels with Shift)',
    picture: 'A picture with a gap',
    confirm: 'Confirm',
    unseen: 'I cannot see the picture (takes up to a minute)',
    unseenTitle: 'Checking your browser',
    unseenBody:
      'Your browser completes the check in place of the puzzle. Keep this page open; the site then opens automatically.',
    left: 'About # seconds left',
  },
  zh: {
    title: { js: '正在检查您的浏览器', google_recaptcha: '请确认您是真人', puzzle: '完成拼图后继续访问' },
    body: {
      js: '本站需要验证访客是否为真人。您的浏览器正在自动完成验证，只需几秒钟。',
      google_recaptcha: '本站使用 Google reCAPTCHA 验证访客是否为真人。',
      puzzle: '本站需要验证访客是否为真人。',
    },
    working: { js: '正在验证…', google_recaptcha: '正在加载 reCAPTCHA…', puzzle: '正在准备拼图…' },
    checking: '正在验证…',
    done: '验证通过，正在打开页面…',
    failed: '可能耗时过长，或网络发生了变化，请重试。',
    missed: '位置有偏差，请再试一次',
    misses: '拼图块未对准缺口，请重试。',
    network: '无法连接到本站，请检查您的网络，然后重试。',
    cookies: '此验证需要 Cookie。请为本站允许 Cookie，然后重试。',
    unanswered: 'Google 没有响应，可改由您的浏览器完成验证。',
    instead: '不使用 Google，继续验证',
    blocked: '无法加载 reCAPTCHA。请允许来自 Google 的内容或检查网络，然后重试。',
    noScript: {
      title: '启用 JavaScript 后继续访问',
      body: '本站需要验证访客是否为真人，此验证需要 JavaScript。请为本站启用 JavaScript，然后重试。',
    },
    stopped: '验证未完成',
    retry: '重试',
    object: '本站需要验证访客是否为真人，请在浏览器中打开此地址完成验证。',
    move: '将拼图块拖入缺口，也可使用方向键移动（按住 Shift 微调）',
    picture: '带缺口的图片',
    confirm: '确认',
    unseen: '看不到图片（最长一分钟）',
    unseenTitle: '正在检查您的浏览器',
    unseenBody: '您的浏览器正在代替拼图完成验证。请保持此页面打开，验证完成后将自动进入本站。',
    left: '大约还需 # 秒',
  },
} as const;

/** What a page shows that is the same for many visitors. */
export interface ChallengePage {
  readonly language: 'en' | 'zh';
  readonly brand: RunnerBrand | undefined;
  readonly way: ProofWay;
  /** With the way `google_recaptcha`. */
  readonly recaptcha?: RunnerRecaptcha | undefined;
}

/** As wide as the piece, so that it stands below it. */
const THUMB = `appearance:none;width:${PIECE_SIZE}px;height:40px;border:0;border-radius:8px;background:var(--accent);cursor:grab`;
const STYLE = `<style>progress{width:100%;height:8px;accent-color:var(--accent)}#title{outline:0}#say{margin:12px 0 24px}#time{margin:-20px 0 24px;color:var(--soft);font-size:14px}#time:empty{display:none}.unseen{position:absolute;clip-path:inset(50%)}button{font:inherit;color:#fff;background:var(--accent);
border:0;border-radius:8px;padding:10px 20px;margin:0 0 24px;cursor:pointer}[hidden]{display:none!important}
#puzzle{display:grid;gap:12px;justify-items:start}#frame{position:relative;width:${PICTURE_WIDTH}px;height:${PICTURE_HEIGHT}px;overflow:hidden;border-radius:8px}
#piece{position:absolute;left:0;filter:drop-shadow(0 1px 4px #000a);cursor:grab;touch-action:none;-webkit-user-drag:none}
#slider{width:${PICTURE_WIDTH}px;height:40px;margin:0;appearance:none;background:linear-gradient(var(--line),var(--line)) center/100% 8px no-repeat;border-radius:8px;touch-action:none}
#slider::-webkit-slider-thumb{${THUMB}}#slider::-moz-range-thumb{${THUMB}}
#recaptcha{min-height:78px;color-scheme:light}#unseen{color:inherit;background:none;border:1px solid var(--line)}#puzzle button{margin:0}#puzzle{margin-bottom:24px}</style>`;

function puzzleForm(language: 'en' | 'zh'): string {
  const text = texts[language];
  return `<form id="puzzle" data-title="${text.unseenTitle}" data-about="${text.unseenBody}" hidden><div id="frame"><img id="picture" alt="${text.picture}" width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}"><img id="piece" alt="" draggable="false"></div>
<label for="slider">${text.move}</label><input id="slider" type="range" min="0" max="${PICTURE_WIDTH - PIECE_SIZE}" value="0">
<button>${text.confirm}</button><button type="button" id="unseen">${text.unseen}</button></form>`;
}

/** Where Google draws its box; the script says when it cannot. */
function recaptchaBox({ site_key, script_url }: RunnerRecaptcha, language: 'en' | 'zh'): string {
  const text = texts[language];
  const query = `?onload=cordonRecaptcha&render=explicit&hl=${language === 'zh' ? 'zh-CN' : 'en'}`;
  const words = (['unanswered', 'instead', 'blocked'] as const).map(
    (name) => `data-${name}="${escapeHtml(text[name])}"`,
  );
  return `<div id="recaptcha" data-key="${escapeHtml(site_key)}" data-script="${escapeHtml(script_url + query)}" ${words.join(' ')}></div>`;
}

/** Without scripts nothing of what the page is for would ever come: the part of it with this id is not shown, and this is. */
export const noScriptPart = (
  text: { readonly title: string; readonly body: string },
  id: string,
  retry: string,
): string =>
  `<noscript><style>#${id}{display:none}</style><h1>${text.title}</h1><p>${text.body}</p><p><a href="">${retry}</a></p></noscript>`;

function render({ language, brand, way, recaptcha }: ChallengePage): string {
  const text = texts[language];
  const body = `${noScriptPart(text.noScript, 'check', text.retry)}
<div id="check"><h1 id="title">${text.title[way]}</h1><p id="about">${text.body[way]}</p>${recaptcha === undefined ? '' : recaptchaBox(recaptcha, language)}<progress max="${PROOF_PARTS}" value="0" aria-labelledby="say"></progress>
<p id="say" role="status">${text.working[way]}</p><p id="time" role="timer"></p><p id="told" class="unseen" role="status"></p>${puzzleForm(language)}<button type="button" id="again" hidden>${text.retry}</button></div>`;
  const page = frame({ language, brand, requestId: MARK, isOfDomain: true }, text.title[way], body, STYLE);
  const said = ['checking', 'done', 'failed', 'missed', 'misses', 'network', 'cookies', 'stopped', 'left'] as const;
  const words = said.map((name) => `data-${name}="${escapeHtml(text[name])}"`).join(' ');
  const head = `<main data-path="${CHALLENGE_PATH}" data-parts="${PROOF_PARTS}" ${words} data-challenge="${MARK}" data-seed="${MARK}" data-bits="${MARK}" data-way="${way}" data-shown="${MARK}">`;
  return page
    .replace('<main>', () => head)
    .replace('</main>', () => `</main><script nonce="${MARK}">${CHALLENGE_SCRIPT}</script>`);
}

/**
 * The page in parts, for `ngx.print`; rendered when this worker has not shown it yet (page-cache.ts).
 * @param isPassShown Whether the request had a pass, good or not: then the browser keeps cookies.
 */
export function findChallengePage(
  page: ChallengePage,
  requestId: string,
  challenge: Challenge,
  isPassShown: boolean,
): string[] {
  const parts = partsOfPage(page.brand, `${page.language} ${page.way}`, () => render(page));
  return fillPage(parts, requestId, [challenge.text, challenge.seed, `${challenge.bits}`, isPassShown ? '1' : '0']);
}

/** What clients that do not accept HTML get, for `json.encode`. */
export function challengeObject(page: ChallengePage & { readonly requestId: string }): Record<string, unknown> {
  return {
    success: false,
    status: CHALLENGE_STATUS,
    code: 'CHALLENGE_REQUIRED',
    message: texts[page.language].object,
    challenge: page.way,
    request_id: page.requestId,
    ...contactsOf({ ...page, isOfDomain: true }),
  };
}

import { CHALLENGE_STATUS } from '@cordon/plugin-kit/challenge';
import { CHALLENGE_PATH, type ChallengePage, noScriptPart } from './challenge-page.ts';
import { escapeHtml, fillPage, frame, MARK } from './page.ts';
import { partsOfPage } from './page-cache.ts';

const texts = {
  en: {
    title: 'One moment',
    body: 'This site asks visitors to wait a moment. The page then opens automatically.',
    left: '# s',
    announced: '# seconds left',
    done: 'Done. Loading the page…',
    failed: 'That did not work. Try again.',
    network: 'Please check your network, then try again.',
    cookies: 'This page needs cookies. Allow them for this site, then try again.',
    stopped: 'The page could not be opened',
    noScript: {
      title: 'Allow JavaScript to continue',
      body: 'This site asks visitors to wait a moment, and the wait needs JavaScript. Allow it for this site, then try again.',
    },
    retry: 'Try again',
    object: 'Open this link in a browser and wait # seconds.',
  },
  zh: {
    title: '请稍候',
    body: '本站要求访客稍等片刻，随后页面将自动打开。',
    left: '# 秒',
    announced: '还需等待 # 秒',
    done: '等待结束，正在打开页面…',
    failed: '未能打开，请重试。',
    network: '请检查您的网络，然后重试。',
    cookies: '此页面需要 Cookie。请为本站允许 Cookie，然后重试。',
    stopped: '页面未能打开',
    noScript: {
      title: '启用 JavaScript 后继续访问',
      body: '本站要求访客稍等片刻，计时需要 JavaScript。请为本站启用 JavaScript，然后重试。',
    },
    retry: '重试',
    object: '请在浏览器中等待 # 秒后再打开此链接。',
  },
} as const;

const STYLE = `<style>progress{width:100%;height:8px;margin:0 0 24px;accent-color:var(--accent)}#time{font-size:26px;font-variant-numeric:tabular-nums;margin:0 0 8px}
button{font:inherit;color:#fff;background:var(--accent);border:0;border-radius:8px;padding:10px 20px;margin:0 0 24px;cursor:pointer}
[hidden]{display:none!important}.unseen{position:absolute;clip-path:inset(50%)}</style>`;

/**
 * Counts down, shows that the wait is over, and loads the page anew with the pass. Screen readers hear the start, each ten seconds and the end.
 * A page that comes right after a wait, and to which no pass was shown, tells that cookies are not kept.
 */
const SCRIPT = `(()=>{'use strict';
const main=document.querySelector('main'),words=main.dataset,by=id=>document.getElementById(id);
const time=by('time'),say=by('say'),again=by('again'),bar=document.querySelector('progress'),start=performance.now(),whole=+words.seconds*1000;
const kept=value=>{try{const before=sessionStorage.getItem('cordon-waited');sessionStorage.setItem('cordon-waited',value);return before}catch{return null}};
function fail(why){document.title=by('title').textContent=words.stopped;by('about').hidden=true;say.className='';say.textContent=words[why];bar.hidden=time.hidden=true;again.hidden=false;again.focus()}
again.onclick=()=>location.reload();
async function end(){let answer;try{answer=await fetch(words.path,{method:'POST',headers:{'Cordon-Proof':words.challenge+' waited'}})}catch{return fail('network')}
if(!answer.ok)return fail('failed');say.className='';say.textContent=words.done;time.hidden=true;kept(Date.now());location.reload()}
let said;
function tick(){const past=performance.now()-start,left=Math.ceil((whole-past)/1000);bar.value=past/whole;if(past>=whole)return end();
time.textContent=words.left.replace('#',left);
if(said===undefined||left%10===0&&left!==said){said=left;say.textContent=words.announced.replace('#',left)}
setTimeout(tick,Math.min(250,whole-past+1))}
const waited=kept('');
if(!navigator.cookieEnabled||waited&&Date.now()-waited<15000&&words.shown!=='1')fail('cookies');else tick()})();`;

type WaitPage = Pick<ChallengePage, 'language' | 'brand'>;

function render({ language, brand }: WaitPage): string {
  const text = texts[language];
  const body = `${noScriptPart(text.noScript, 'wait', text.retry)}<div id="wait"><h1 id="title">${text.title}</h1><p id="about">${text.body}</p>
<p id="time" role="timer" aria-live="off"></p><progress max="1" value="0" aria-hidden="true"></progress>
<p id="say" class="unseen" role="status"></p><button type="button" id="again" hidden>${text.retry}</button></div>`;
  const page = frame({ language, brand, requestId: MARK, isOfDomain: true }, text.title, body, STYLE);
  const words = (['left', 'announced', 'done', 'failed', 'network', 'cookies', 'stopped'] as const)
    .map((name) => `data-${name}="${escapeHtml(text[name])}"`)
    .join(' ');
  const head = `<main data-path="${CHALLENGE_PATH}" ${words} data-challenge="${MARK}" data-seconds="${MARK}" data-shown="${MARK}">`;
  return page
    .replace('<main>', () => head)
    .replace('</main>', () => `</main><script nonce="${MARK}">${SCRIPT}</script>`);
}

/** The page in parts, for `ngx.print`. */
export function findWaitPage(
  page: WaitPage,
  requestId: string,
  wait: string,
  seconds: number,
  isPassShown: boolean,
): string[] {
  const parts = partsOfPage(page.brand, `${page.language} wait`, () => render(page));
  return fillPage(parts, requestId, [wait, `${seconds}`, isPassShown ? '1' : '0']);
}

/** What clients that do not accept HTML get, for `json.encode`. */
export const waitObject = (language: 'en' | 'zh', requestId: string, seconds: number): Record<string, unknown> => ({
  success: false,
  status: CHALLENGE_STATUS,
  code: 'WAIT_REQUIRED',
  message: texts[language].object.replace('#', `${seconds}`),
  challenge: 'wait',
  wait_seconds: seconds,
  request_id: requestId,
});

import { initialLocale } from './locale';

const LOOK_MS = 3_000;
const TIMEOUT_MS = 5_000;

/** Language and theme of last time, on the page itself. */
export function applyLastTime(): void {
  const { documentElement } = document;
  documentElement.lang = initialLocale() === 'zh' ? 'zh-CN' : 'en';
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') documentElement.dataset.theme = theme;
}

const WORDS = {
  en: {
    title: 'The console could not be loaded',
    network: 'Please check your network',
    missing: 'Some of its files could not be loaded. Your domains keep working.',
    retry: 'Retry',
  },
  zh: {
    title: '控制台未能加载',
    network: '请检查您的网络',
    missing: '控制台的部分文件未能加载。您的域名仍在正常工作。',
    retry: '重试',
  },
};

/** Whether the service answers, and not only what stands before it. */
const isServed = (): Promise<boolean> =>
  fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    ({ status }) => status < 500,
    () => false,
  );

/**
 * In place of a program that did not arrive: why, and Retry; its words and look need nothing but this. Without a network it
 * comes back by itself once the page is served anew.
 */
export function showMissingProgram(place: Element, reason: 'network' | 'missing'): void {
  const html = document.documentElement;
  const words = WORDS[/^zh/.test(html.lang) ? 'zh' : 'en'];
  html.style.colorScheme = html.dataset.theme || 'light dark';
  document.title = words.title;
  const main = document.createElement('main');
  const add = (tag: string, text: string) =>
    main.appendChild(Object.assign(document.createElement(tag), { textContent: text }));
  add('h1', words.title).style.fontSize = '24px';
  const line = add('p', words[reason]);
  line.setAttribute('role', 'alert');
  // Without a network the browser's own page would stand in place of this one.
  const retry = async () => {
    if (await isServed()) location.reload();
    else line.textContent = words.network;
  };
  const button = add('button', words.retry);
  button.addEventListener('click', retry);
  if (reason === 'network') {
    addEventListener('online', retry);
    setInterval(retry, LOOK_MS);
  }
  Object.assign(button.style, { font: 'inherit', padding: '8px 16px' });
  Object.assign(main.style, { font: '16px/1.5 system-ui, sans-serif', padding: '15vh 24px', textAlign: 'center' });
  // A program that still arrives finds no place: without its styles it would not look like anything.
  place.replaceWith(main);
}

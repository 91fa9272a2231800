/* Loaded first and before anything is painted: theme and language of last time. */
(() => {
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
    const locale = localStorage.getItem('locale') || (/^zh/i.test(navigator.language) ? 'zh' : 'en');
    document.documentElement.lang = locale === 'zh' ? 'zh-CN' : 'en';
  } catch {
    /* Storage is refused: the system's theme and language are used. */
  }
})();

/* And what is said when the program does not arrive, in both languages: the words are a part of the program too. */
(() => {
  function showFailure() {
    const root = document.getElementById('root');
    if (!root || root.hasChildNodes()) return;
    const html = document.documentElement;
    html.style.colorScheme = html.dataset.theme || 'light dark';
    const isChinese = /^zh/.test(html.lang);
    const add = (tag, text) => root.appendChild(Object.assign(document.createElement(tag), { textContent: text }));
    const words = [
      'A part of this page could not be loaded. Check your connection and try again.',
      '页面的一部分未能加载。请检查网络连接后重试。',
    ];
    for (const text of isChinese ? words.reverse() : words) add('p', text);
    const button = add('button', isChinese ? '重试 / Try again' : 'Try again / 重试');
    button.addEventListener('click', () => location.reload());
    Object.assign(button.style, { font: 'inherit', padding: '8px 16px' });
    Object.assign(root.style, { font: '16px/1.5 system-ui, sans-serif', padding: '15vh 24px', textAlign: 'center' });
    root.setAttribute('role', 'alert');
  }
  // Events of files that fail do not bubble; a module fails with whatever it needs.
  addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && showFailure(), true);
  addEventListener('startfailure', showFailure);
})();

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

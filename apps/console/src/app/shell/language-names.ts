/** A language is named in itself, for whoever cannot read the current one. */
export const languageNames = { en: 'English', zh: '简体中文' };

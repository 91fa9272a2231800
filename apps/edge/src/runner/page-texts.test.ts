import { messages as en } from '@cordon/plugins/locales/en';
import { messages as zh } from '@cordon/plugins/locales/zh';
import { expect, it } from 'vitest';
import { pageLabels, pageTexts } from './page-texts.ts';

it.each([
  ['en', en],
  ['zh', zh],
] as const)('are what the console shows of default pages, in %s', (language, messages) => {
  const shown = messages['custom-error-page'].defaultPages;
  const { blocked, bad_gateway } = pageTexts[language];
  expect(shown).toEqual({ '403': blocked, '502': bad_gateway, requestId: pageLabels[language].requestId });
});

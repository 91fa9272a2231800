import { qualityOf } from '@cordon/plugin-kit/accept';

/** Language of our pages for an `Accept-Language`. */
export function pageLanguage(field: string | undefined): 'en' | 'zh' {
  if (field === undefined) return 'en';
  const chinese = qualityOf(field, ['zh', 'zh-cn', 'zh-hans', 'zh-hans-cn', 'zh-sg', 'zh-tw', 'zh-hant', 'zh-hk']);
  const english = qualityOf(field, ['en', 'en-us', 'en-gb', 'en-au', 'en-ca', '*']);
  return chinese > english ? 'zh' : 'en';
}

/** Whether an `Accept` names HTML: browsers do where a person will see the answer, scripts and programs do not. */
export const acceptsHtml = (field: string | undefined): boolean =>
  field !== undefined && qualityOf(field, ['text/html', 'application/xhtml+xml']) > 0;

import type { ImportColumn } from '@cordon/contract';

/** What a header cell may say, in the languages of the console; the first of each is what the template says. */
const HEADERS: Readonly<Record<ImportColumn, { en: readonly string[]; zh: readonly string[] }>> = {
  domain_name: { en: ['domain_name', 'domain', 'name'], zh: ['域名'] },
  protocol: { en: ['protocol', 'upstream_protocol'], zh: ['协议', '回源协议'] },
  upstreams: { en: ['upstreams', 'upstream', 'targets', 'origin', 'origins'], zh: ['源站', '源站地址', '回源地址'] },
  status: { en: ['status'], zh: ['状态'] },
  group: { en: ['group'], zh: ['分组', '域名分组'] },
  remarks: { en: ['remarks', 'remark', 'notes'], zh: ['备注'] },
  shadow_domains: { en: ['shadow_domains', 'shadow_domain', 'aliases', 'alias'], zh: ['别名域名', '别名', '影子域名'] },
};

const fold = (text: string) =>
  text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '_')
    .replace(/_*[*(（].*$/, '');

const known = new Map<string, ImportColumn>(
  Object.entries(HEADERS).flatMap(([column, { en, zh }]) =>
    [...en, ...zh].map((text) => [text, column as ImportColumn] as const),
  ),
);

/** The column that a header cell names, in any of the console's languages. */
export const columnOfHeader = (text: string): ImportColumn | undefined => known.get(fold(text));

/** What the template's header says. */
export const templateHeader = (column: ImportColumn, locale: 'en' | 'zh'): string =>
  HEADERS[column][locale][0] ?? column;

/** `A`, `B`, … `AA`: how a spreadsheet names its columns. */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? columnLetters(rest - 1) : '') + String.fromCharCode(65 + (index % 26));
}

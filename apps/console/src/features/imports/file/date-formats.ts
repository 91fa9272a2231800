import { readXml } from './xml';

/** Built-in formats that show a number as a date or time (ECMA-376 18.8.30); 27 to 36 and 50 to 58 in Chinese Excel. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** Whether a custom format shows a date: a letter of dates outside of quotes, brackets and escapes. */
const isDateCode = (code: string) => /[ymdhs年月日]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\.|_.|\*./g, ''));

/** Which cell styles (attribute `s`) show numbers as dates, by `xl/styles.xml`. */
export function readDateStyles(styles: Uint8Array): ReadonlySet<number> {
  const custom = new Map<number, boolean>();
  const dates = new Set<number>();
  let isInside = false;
  let index = 0;
  if (styles.length === 0) return dates;
  readXml(styles, {
    open(name, attribute) {
      if (name === 'numFmt') custom.set(Number(attribute('numFmtId')), isDateCode(attribute('formatCode') ?? ''));
      else if (name === 'cellXfs') isInside = true;
      else if (name === 'xf' && isInside) {
        const id = Number(attribute('numFmtId') ?? 0);
        if (custom.get(id) ?? isBuiltInDate(id)) dates.add(index);
        index++;
      }
    },
    close(name) {
      if (name === 'cellXfs') isInside = false;
    },
  });
  return dates;
}

import { strToU8, zipSync } from 'fflate';

const XMLNS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface WorkbookParts {
  /** What stands inside `<sheetData>`. */
  readonly rows: string;
  readonly strings?: string;
  readonly styles?: string;
  /** What stands inside `<sheets>`. */
  readonly sheets?: string;
  readonly extra?: Record<string, Uint8Array>;
}

/** A workbook as spreadsheets write it, with the given parts. */
export function workbook(parts: WorkbookParts): Uint8Array {
  const xml = (text: string) => strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${text}`);
  return zipSync({
    '[Content_Types].xml': xml('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${XMLNS}" xmlns:r="${RELATIONS}"><sheets>${
        parts.sheets ?? '<sheet name="Domains" sheetId="1" r:id="rId1"/>'
      }</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/worksheet" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
    ),
    'xl/worksheets/sheet1.xml': xml(`<worksheet xmlns="${XMLNS}"><sheetData>${parts.rows}</sheetData></worksheet>`),
    ...(parts.strings === undefined
      ? {}
      : { 'xl/sharedStrings.xml': xml(`<sst xmlns="${XMLNS}">${parts.strings}</sst>`) }),
    ...(parts.styles === undefined
      ? {}
      : { 'xl/styles.xml': xml(`<styleSheet xmlns="${XMLNS}">${parts.styles}</styleSheet>`) }),
    ...parts.extra,
  });
}

const escapeXml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** Rows of inline texts, the first row first. */
export const textRows = (rows: readonly (readonly string[])[]): string =>
  rows
    .map(
      (cells, at) =>
        `<row r="${at + 1}">${cells
          .map(
            (text, column) =>
              `<c r="${String.fromCharCode(65 + column)}${at + 1}" t="inlineStr"><is><t>${escapeXml(text)}</t></is></c>`,
          )
          .join('')}</row>`,
    )
    .join('');

import { IMPORT_COLUMNS, IMPORT_ROWS_MAX, type ImportColumn } from '@cordon/contract';
import { strToU8, zipSync } from 'fflate';
import Papa from 'papaparse';
import { exampleRow } from './example-row';
import { columnLetters, templateHeader } from './file/column-headings';

/** Words of the template, in the customer's language. */
export interface TemplateWords {
  readonly locale: 'en' | 'zh';
  readonly domainsSheet: string;
  readonly notesSheet: string;
  readonly notesHeader: readonly [column: string, isRequired: string, what: string];
  /** Whether the column is needed, and whether its cells may be none. */
  readonly needed: (column: ImportColumn) => string;
  readonly about: (column: ImportColumn) => string;
  /** Lines below the table of columns. */
  readonly rules: readonly string[];
  readonly exampleRemark: string;
}

function rowsOf(words: TemplateWords): string[][] {
  const example = exampleRow(words.exampleRemark);
  return [
    IMPORT_COLUMNS.map((column) => templateHeader(column, words.locale)),
    IMPORT_COLUMNS.map((column) => example[column]),
  ];
}

export const csvTemplate = (words: TemplateWords): string =>
  `${Papa.unparse(rowsOf(words), { newline: '\r\n', escapeFormulae: true })}\r\n`;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const xml = (text: string) => strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${text}`);
const escapeXml = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** Styles: plain text, bold text for headers, wrapped text. As text, so that nothing typed becomes a date. */
const STYLES =
  `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3">' +
  '<xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/>' +
  '<xf numFmtId="49" applyNumberFormat="1" applyAlignment="1"><alignment wrapText="1" vertical="top"/></xf></cellXfs></styleSheet>';
const PLAIN = 0;
const BOLD = 1;
const WRAPPED = 2;

const rowXml = (number: number, cells: readonly string[], style: number) =>
  `<row r="${number}">${cells
    .map(
      (text, at) =>
        `<c r="${columnLetters(at)}${number}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`,
    )
    .join('')}</row>`;

const colsXml = (widths: readonly number[]) =>
  `<cols>${widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" style="0" customWidth="1"/>`).join('')}</cols>`;

/** Choices that the spreadsheet offers in a column. */
function choices(column: ImportColumn, values: readonly string[]): string {
  const letters = columnLetters(IMPORT_COLUMNS.indexOf(column));
  return `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${letters}2:${letters}${IMPORT_ROWS_MAX + 1}"><formula1>"${values.join(',')}"</formula1></dataValidation>`;
}

function domainsSheet(words: TemplateWords): string {
  const [header = [], example = []] = rowsOf(words);
  return (
    `<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `${colsXml([32, 14, 44, 14, 18, 32, 32])}<sheetData>${rowXml(1, header, BOLD)}${rowXml(2, example, PLAIN)}</sheetData>` +
    `<dataValidations count="2">${choices('protocol', ['http', 'https', 'http_https'])}${choices('status', ['running', 'deactivated'])}</dataValidations></worksheet>`
  );
}

function notesSheet(words: TemplateWords): string {
  const columns = IMPORT_COLUMNS.map((column) => [
    templateHeader(column, words.locale),
    words.needed(column),
    words.about(column),
  ]);
  const rows = [
    rowXml(1, words.notesHeader, BOLD),
    ...columns.map((cells, at) => rowXml(at + 2, cells, WRAPPED)),
    ...words.rules.map((rule, at) => rowXml(columns.length + 3 + at, ['', '', rule], WRAPPED)),
  ];
  return `<worksheet xmlns="${MAIN}">${colsXml([18, 22, 90])}<sheetData>${rows.join('')}</sheetData></worksheet>`;
}

/** A workbook with the header, a worked example, choices where only some values are allowed, and a sheet of notes. */
export function xlsxTemplate(words: TemplateWords): Uint8Array<ArrayBuffer> {
  const sheet = (at: number) =>
    `<Override PartName="/xl/worksheets/sheet${at}.xml" ContentType="${TYPES}.worksheet+xml"/>`;
  return zipSync({
    '[Content_Types].xml': xml(
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
        `<Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>${sheet(1)}${sheet(2)}<Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
    ),
    '_rels/.rels': xml(
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escapeXml(words.domainsSheet)}" sheetId="1" r:id="rId1"/><sheet name="${escapeXml(words.notesSheet)}" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId3" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    ),
    'xl/styles.xml': xml(STYLES),
    'xl/worksheets/sheet1.xml': xml(domainsSheet(words)),
    'xl/worksheets/sheet2.xml': xml(notesSheet(words)),
  }) as Uint8Array<ArrayBuffer>;
}

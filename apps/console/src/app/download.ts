/** Spreadsheets take a file without it for one in the language's old encoding; `fetch` takes it off. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Hands a CSV text to the browser as a file. */
export const downloadCsv = (fileName: string, text: string): void =>
  downloadBlob(fileName, [BYTE_ORDER_MARK, text], 'text/csv');

/** Hands bytes to the browser as a file. */
export function downloadBlob(fileName: string, parts: BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has its own hold on it once the click is handled.
  window.setTimeout(() => URL.revokeObjectURL(url), 0);
}

import { PAGE_DATA_ID, type PageData } from '@cordon/contract/page-data';

/** What the API put into the page; undefined where it did not serve it (development). */
export function readPageData(): PageData | undefined {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent;
  return text ? (JSON.parse(text) as PageData) : undefined;
}

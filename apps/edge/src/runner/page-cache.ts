import * as json from 'cjson.safe';
import { type PageContent, pageObject, renderHtml } from './page.ts';

/** What comes before and after the request id. */
export interface PageParts {
  readonly before: string;
  readonly after: string;
}

export interface PageRequest extends Omit<PageContent, 'requestId'> {
  readonly code: string;
  readonly asJson: boolean;
}

/** Stands where the request id will be. */
const MARK = '@request-id@';

/**
 * Pages that differ only in the request id, kept in two parts. One string for each request would not only be work:
 * LuaJIT finds equal strings by a hash of a few of their bytes, so that pages of one length would all share a chain, and
 * a flood of refused requests would spend its time comparing them.
 */
const pagesOfBrands = setmetatable(new LuaTable<object, LuaTable<string, PageParts>>(), { __mode: 'k' });
const NO_BRAND = {};

/** Answers the page; renders it when this worker has not shown it yet. */
export function findPage(request: PageRequest): PageParts {
  const brand = request.brand ?? NO_BRAND;
  let pages = pagesOfBrands.get(brand) as LuaTable<string, PageParts> | undefined;
  if (pages === undefined) {
    pages = new LuaTable();
    pagesOfBrands.set(brand, pages);
  }
  const format = request.asJson ? 'json' : 'html';
  const key = `${request.kind} ${request.status} ${request.code} ${request.language} ${format}`;
  let parts = pages.get(key) as PageParts | undefined;
  if (parts === undefined) {
    parts = renderParts(request);
    pages.set(key, parts);
  }
  return parts;
}

export function renderParts(request: PageRequest): PageParts {
  const content = { ...request, requestId: MARK };
  const text = request.asJson ? json.encode(pageObject(content, request.code)) : renderHtml(content);
  const at = text.indexOf(MARK);
  return { before: text.substring(0, at), after: text.substring(at + MARK.length) };
}

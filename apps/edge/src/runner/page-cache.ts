import * as json from 'cjson.safe';
import { MARK, type PageContent, pageObject, renderHtml } from './page.ts';
import type { RunnerBrand } from './payload.ts';

export interface PageRequest extends Omit<PageContent, 'requestId'> {
  readonly code: string;
  readonly asJson: boolean;
}

/**
 * Pages that differ only in what stands at their marks, kept in the parts between. One string for each request would not
 * only be work: LuaJIT finds equal strings by a hash of a few of their bytes, so that pages of one length would all share
 * a chain, and a flood of refused requests would spend its time comparing them.
 */
const pagesOfBrands = setmetatable(new LuaTable<object, LuaTable<string, readonly string[]>>(), { __mode: 'k' });
const NO_BRAND = {};

/** A page between its marks; rendered where this worker has not shown it yet. */
export function partsOfPage(of: RunnerBrand | undefined, key: string, render: () => string): readonly string[] {
  const brand = of ?? NO_BRAND;
  let pages = pagesOfBrands.get(brand) as LuaTable<string, readonly string[]> | undefined;
  if (pages === undefined) {
    pages = new LuaTable();
    pagesOfBrands.set(brand, pages);
  }
  let parts = pages.get(key) as readonly string[] | undefined;
  if (parts === undefined) {
    parts = render().split(MARK);
    pages.set(key, parts);
  }
  return parts;
}

/** A page of the brand, as HTML or JSON, between its marks, each of which is for the id of the request. */
export function findPage(request: PageRequest): readonly string[] {
  const { kind, status, code, language, asJson, isOfDomain, retryIn = '' } = request;
  const key = `${kind} ${status} ${code} ${language} ${asJson ? 'json' : 'html'} ${isOfDomain ? 'domain' : ''} ${retryIn}`;
  return partsOfPage(request.brand, key, () => {
    const content = { ...request, requestId: MARK };
    return asJson ? json.encode(pageObject(content, code)) : renderHtml(content);
  });
}

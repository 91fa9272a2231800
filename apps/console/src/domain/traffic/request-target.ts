/** What a logged request asked for; secret values of the query are not in the log. */
export const requestTarget = ({ path, query }: { readonly path: string; readonly query: string }): string =>
  `${path}${query === '' ? '' : `?${query}`}`;

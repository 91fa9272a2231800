import type pg from 'pg';
import { searchedText } from './search-text.ts';

/** Domains whose CNAME has the text in it. It is none of their texts, as what CNAMEs have in common would be found in each. */
export interface CnameSearch {
  /** Whose own CNAME has it: all of their domains are found. */
  readonly subscriptionIds: readonly string[];
  /** Whose own CNAME begins with what comes after the label of a domain. */
  readonly continuedIds: readonly string[];
}

/** What a search looks for. */
export interface Search {
  readonly q: string | undefined;
  /** Nothing that goes on behind it in the same label is found. */
  readonly endsLabel: boolean;
  readonly inCname: CnameSearch | undefined;
}

/** Shorter ones are parts of words: they must not find a subscription whose label happens to begin with them. */
const LABEL_MIN = 4;
const IS_HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/;

/** Reads what was typed: of CNAMEs whole labels from the first, of the last one a part, but not the edge domain alone. */
export async function readSearch(
  pool: pg.Pool,
  accountId: string,
  typed: string | undefined,
  edgeDomain: string,
): Promise<Search> {
  const { text: q, endsLabel } = searchedText(typed ?? '');
  if (q === '') return { q: undefined, endsLabel, inCname: undefined };
  const hasDot = q.includes('.');
  if (!IS_HOST.test(q) || (!hasDot && q.length < LABEL_MIN)) return { q, endsLabel, inCname: undefined };
  const dotted = endsLabel ? `${q}.` : q;
  const { rows } = await pool.query<{ id: string; is_within: boolean }>({
    name: 'subscriptions-searched',
    text: `SELECT id, place BETWEEN 1 AND last AS is_within
      FROM (SELECT id, strpos('.' || cname || '.', '.' || $2) AS place, CASE WHEN $3 THEN length(cname) - length($4) - 1 ELSE 1 END AS last,
          $3 AND starts_with(cname || '.', $5) AS is_continued
        FROM subscriptions WHERE account_id = $1) s WHERE place BETWEEN 1 AND last OR is_continued`,
    values: [accountId, dotted, hasDot, edgeDomain, dotted.slice(dotted.indexOf('.') + 1)],
  });
  if (rows.length === 0) return { q, endsLabel, inCname: undefined };
  const idsOf = (isWithin: boolean) => rows.filter((row) => row.is_within === isWithin).map(({ id }) => id);
  return { q, endsLabel, inCname: { subscriptionIds: idsOf(true), continuedIds: idsOf(false) } };
}

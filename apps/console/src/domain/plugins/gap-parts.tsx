import type { FeedGaps } from '@cordon/contract';
import { areaOf } from '@cordon/plugins/areas';
import { Fragment, type ReactNode } from 'react';
import { useLocale } from 'use-intl';
import { textLinkClass } from '../../ui/text-link-class';

const NAMED_MAX = 3;

const placeOf = (id: string, plugin: string) => `#/domain/list/${id}?tab=${areaOf[plugin] ?? ''}&edit=${plugin}`;

/** What a catalog's sentence about them is given: how many, and the first names by its `domains`. */
export type GapParts = {
  readonly count: number;
  readonly name: string;
  readonly domains: () => ReactNode;
  readonly turnOn: (label: ReactNode) => ReactNode;
};

/** The same for a notice: words alone. */
export type GapTexts = {
  readonly count: number;
  readonly name: string;
  readonly domains: () => string;
  readonly turnOn: () => string;
};

/** The parts of such a sentence: names lead to the plugin's settings of their domain, where it is turned on. */
export function useGapParts(onFollow?: () => void) {
  const separator = useLocale() === 'zh' ? '、' : ', ';
  const shown = ({ count, domains }: FeedGaps) => ({
    count,
    name: domains[0]?.domain_name ?? '',
    first: domains.slice(0, NAMED_MAX),
    more: count > NAMED_MAX ? `${separator}…` : '',
  });
  return {
    rich(gaps: FeedGaps): GapParts {
      const { count, name, first, more } = shown(gaps);
      const linkTo = (id: string, label: ReactNode) => (
        <a href={placeOf(id, gaps.plugin)} onClick={onFollow} className={`reach wrap-anywhere ${textLinkClass}`}>
          {label}
        </a>
      );
      return {
        count,
        name,
        domains: () => (
          <>
            {first.map((domain, index) => (
              <Fragment key={domain.id}>
                {index > 0 && separator}
                {linkTo(domain.id, domain.domain_name)}
              </Fragment>
            ))}
            {more}
          </>
        ),
        turnOn: (label) => linkTo(first[0]?.id ?? '', label),
      };
    },
    plain(gaps: FeedGaps): GapTexts {
      const { count, name, first, more } = shown(gaps);
      const names = first.map((domain) => domain.domain_name).join(separator) + more;
      return { count, name, domains: () => names, turnOn: () => '' };
    },
  };
}

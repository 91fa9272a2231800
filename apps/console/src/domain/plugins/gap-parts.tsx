import type { FeedGaps } from '@cordon/contract';
import { areaOf } from '@cordon/plugins/areas';
import { Fragment, type ReactNode } from 'react';
import { useLocale } from 'use-intl';
import { textLinkClass } from '../../ui/text-link-class';

const NAMED_MAX = 3;

/** Where what is off can be turned on: the plugin's settings, or the page that says that protection is paused. */
const placeOf = ({ id, is_paused: isPaused }: FeedGaps['domains'][number], plugin: string) =>
  `#/domain/list/${id}${isPaused ? '' : `?tab=${areaOf[plugin] ?? ''}&edit=${plugin}`}`;

type Gaps = {
  readonly count: number;
  readonly name: string;
  /** Why: the plugin is off, protection is paused, or one here and the other there. */
  readonly why: 'off' | 'paused' | 'both';
};

/** What a catalog's sentence about them is given: how many, why, and the first names by its `domains`. */
export type GapParts = Gaps & {
  readonly domains: () => ReactNode;
  readonly turnOn: (label: ReactNode) => ReactNode;
};

/** The same for a notice: words alone. */
export type GapTexts = Gaps & {
  readonly domains: () => string;
  readonly turnOn: () => string;
};

function whyOf(domains: FeedGaps['domains']): Gaps['why'] {
  if (!domains.some((domain) => domain.is_paused)) return 'off';
  return domains.every((domain) => domain.is_paused) ? 'paused' : 'both';
}

/** The parts of such a sentence: names lead to where it is turned on for their domain. */
export function useGapParts(onFollow?: () => void) {
  const separator = useLocale() === 'zh' ? '、' : ', ';
  const shown = ({ count, domains }: FeedGaps) => ({
    count,
    name: domains[0]?.domain_name ?? '',
    why: whyOf(domains),
    first: domains.slice(0, NAMED_MAX),
    more: count > NAMED_MAX ? `${separator}…` : '',
  });
  return {
    rich(gaps: FeedGaps): GapParts {
      const { first, more, ...parts } = shown(gaps);
      const linkTo = (domain: FeedGaps['domains'][number], label: ReactNode) => (
        <a href={placeOf(domain, gaps.plugin)} onClick={onFollow} className={`reach wrap-anywhere ${textLinkClass}`}>
          {label}
        </a>
      );
      return {
        ...parts,
        domains: () => (
          <>
            {first.map((domain, index) => (
              <Fragment key={domain.id}>
                {index > 0 && separator}
                {linkTo(domain, domain.domain_name)}
              </Fragment>
            ))}
            {more}
          </>
        ),
        turnOn: (label) => first[0] && linkTo(first[0], label),
      };
    },
    plain(gaps: FeedGaps): GapTexts {
      const { first, more, ...parts } = shown(gaps);
      const names = first.map((domain) => domain.domain_name).join(separator) + more;
      return { ...parts, domains: () => names, turnOn: () => '' };
    },
  };
}

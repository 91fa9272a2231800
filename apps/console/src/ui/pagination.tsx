import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button, IconButton } from './button';
import { useFormat } from './format';
import { Menu } from './menu';

export interface PaginationProps {
  /** Name of the list: there may be several on a screen. */
  of: string;
  page: number;
  perPage: number;
  /** Number of all matches. */
  count: number;
  onPageChange: (page: number) => void;
  onPerPageChange?: (perPage: number) => void;
  perPageOptions?: readonly number[];
  /** The range in words of its own, where not all that the list shows is counted. */
  rangeText?: (range: Readonly<Record<'first' | 'last' | 'count', string>>) => string;
}

/** Where one is in a server-side list, and how to move. */
export function Pagination({
  of,
  page,
  perPage,
  count,
  onPageChange,
  onPerPageChange,
  perPageOptions = [10, 20, 50, 100],
  rangeText,
}: PaginationProps) {
  const t = useTranslations('ui');
  const format = useFormat();
  const pages = Math.max(1, Math.ceil(count / perPage));
  const first = count === 0 ? 0 : (page - 1) * perPage + 1;
  const range = {
    first: format.number(first),
    last: format.number(Math.min(count, page * perPage)),
    count: format.number(count),
  };
  return (
    <nav
      aria-label={t('pagination.label', { list: of })}
      className="flex flex-wrap items-center justify-between gap-x-2 gap-y-2 px-4 py-2 text-sm text-muted"
    >
      <span className="tabular" aria-live="polite">
        {rangeText?.(range) ?? t('pagination.range', range)}
      </span>
      <span className="flex items-center gap-2">
        {onPerPageChange && (
          <Menu
            trigger={
              <Button size="sm">
                {t('pagination.perPage', { count: perPage })}
                <ChevronDown size={14} aria-hidden />
              </Button>
            }
            groups={() => [
              perPageOptions.map((option) => ({
                id: String(option),
                label: t('pagination.perPage', { count: option }),
                checked: option === perPage,
                onSelect: () => onPerPageChange(option),
              })),
            ]}
          />
        )}
        {(pages > 1 || onPerPageChange) && (
          <>
            <IconButton
              label={t('pagination.previous')}
              icon={<ChevronLeft size={16} />}
              size="sm"
              variant="secondary"
              disabled={page <= 1}
              onClick={() => onPageChange(page - 1)}
            />
            <span className="tabular px-1 whitespace-nowrap">
              {t('pagination.page', { page: format.number(page), pages: format.number(pages) })}
            </span>
            <IconButton
              label={t('pagination.next')}
              icon={<ChevronRight size={16} />}
              size="sm"
              variant="secondary"
              disabled={page >= pages}
              onClick={() => onPageChange(page + 1)}
            />
          </>
        )}
      </span>
    </nav>
  );
}

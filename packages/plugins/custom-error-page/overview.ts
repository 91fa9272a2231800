import type { OverviewValue, PluginOverview, PluginOverviewFacts } from '@cordon/plugin-kit/overview';
import { type CustomErrorPageConfig, type PageStatus, STATUSES } from './schema.ts';

/** Statuses that the edge itself answers with where no page is set; the others come from origins only. */
const DEFAULT_PAGES: readonly PageStatus[] = [403, 502];

/** What visitors get with each status, and how the pages look that the service itself sends. */
export function overview({ draft, live, t }: PluginOverviewFacts<CustomErrorPageConfig>): PluginOverview {
  const isReplaced = (status: PageStatus) => live?.enabled === true && live.config[`error_${status}`] !== null;
  const pageAt = (status: PageStatus): OverviewValue => {
    const livePage = (live?.enabled && live.config[`error_${status}`]) || undefined;
    const draftPage = draft.config[`error_${status}`] ?? undefined;
    return {
      key: String(status),
      name: t(`overview.names.${status}`),
      hint: t(`overview.hints.${status}`),
      live: livePage,
      draft: draftPage,
      isLink: true,
      fallback: t(DEFAULT_PAGES.includes(status) ? 'overview.default' : 'overview.origin'),
    };
  };
  const shown = DEFAULT_PAGES.filter((status) => !isReplaced(status));
  return {
    values: {
      label: t('overview.set'),
      columns: { name: t('overview.status'), hint: t('overview.when'), value: t('overview.page') },
      rows: STATUSES.map(pageAt),
    },
    ...(shown.length > 0 && {
      pages: {
        label: t('overview.pages'),
        hint: t('overview.pagesHint'),
        pages: shown.map((status) => ({
          status,
          title: t(`defaultPages.${status}.title`),
          text: t(`defaultPages.${status}.body`),
          footer: t('defaultPages.requestId'),
        })),
      },
    }),
  };
}

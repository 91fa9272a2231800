import type { Route } from '@cordon/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../app/api-client';
import { needCatalogs } from '../../../app/intl-store';
import { domainKeys } from '../../../domain/data/keys';
import { lazyPart } from '../../../ui/lazy-part';
import type { Selection } from '../apply/apply-types';

const ApplyDialog = lazyPart(async () => {
  await needCatalogs('apply');
  return import('../apply/apply-dialog');
});

const domainsOnly = ({ names, filter }: Selection) => (names ? { names } : { filter: filter ?? {} });

/** "Copy to other domains": what a plugin is set to in the draft, brought to others. Render `dialog` once. */
export function useCopyPlugin(route: Route): { ask: (plugin: string, name: string) => void; dialog: ReactNode } {
  const t = useTranslations('domain.plugin');
  const client = useQueryClient();
  const [asked, setAsked] = useState<{ plugin: string; name: string; opened: number; isOpen: boolean }>();
  const params = { id: route.id };
  return {
    ask: (plugin, name) => setAsked((before) => ({ plugin, name, opened: (before?.opened ?? 0) + 1, isOpen: true })),
    dialog: asked && (
      <Suspense fallback={null}>
        <ApplyDialog
          key={asked.opened}
          open={asked.isOpen}
          onOpenChange={(isOpen) => setAsked({ ...asked, isOpen })}
          title={t('copyTitle', { name: asked.name, domain: route.domain_name_unicode })}
          cname={route.subscription_cname}
          without={route.id}
          brought={{ route_id: route.id, plugins: [asked.plugin] }}
          previewKey={domainKeys.copyPreview(route.id, asked.plugin, route.draft_revision)}
          preview={(selection, query, signal) =>
            api.previewCopy({
              params,
              query,
              body: { plugins: [asked.plugin], selection: domainsOnly(selection) },
              signal,
            })
          }
          apply={async (selection, how) =>
            (
              await api.copyPlugins({
                params,
                ifMatch: route.draft_revision,
                body: { plugins: [asked.plugin], selection: domainsOnly(selection), ...how },
              })
            ).result
          }
          onStale={() => void client.invalidateQueries({ queryKey: domainKeys.route(route.id) })}
          onEnded={() => void client.invalidateQueries({ queryKey: domainKeys.all })}
        />
      </Suspense>
    ),
  };
}

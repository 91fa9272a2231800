import type { RouteFilter } from '@cordon/contract';
import { useMutation } from '@tanstack/react-query';
import { Download, Ellipsis, Folder } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../app/api-client';
import { downloadCsv } from '../../../app/download';
import { needCatalogs } from '../../../app/intl-store';
import { IconButton } from '../../../ui/button';
import { Menu } from '../../../ui/menu';

const GroupsDialog = lazy(async () => {
  await needCatalogs('groups');
  return import('../groups/groups-dialog');
});

/** What is done with the list as a whole. */
export function ListMenu({ filter, isFiltered }: { filter: RouteFilter; isFiltered: boolean }) {
  const t = useTranslations('domains.list');
  const [wasAsked, setAsked] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const download = useMutation({
    mutationFn: async () =>
      downloadCsv(`domains-${new Date().toISOString().slice(0, 10)}.csv`, await api.exportRoutes({ query: filter })),
  });
  return (
    <>
      <Menu
        trigger={
          <IconButton
            variant="secondary"
            label={t('more')}
            icon={<Ellipsis size={18} aria-hidden />}
            disabled={download.isPending}
          />
        }
        groups={[
          [
            {
              id: 'groups',
              label: t('groups'),
              icon: <Folder size={16} aria-hidden />,
              onSelect: () => {
                setAsked(true);
                setOpen(true);
              },
            },
            {
              id: 'export',
              label: t('export'),
              description: t(isFiltered ? 'exportFiltered' : 'exportAll'),
              icon: <Download size={16} aria-hidden />,
              onSelect: () => download.mutate(),
            },
          ],
        ]}
      />
      {wasAsked && (
        <Suspense fallback={null}>
          <GroupsDialog open={isOpen} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}

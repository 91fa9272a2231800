import type { RouteFilter } from '@cordon/contract';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download, Ellipsis, FileUp, Folder } from 'lucide-react';
import { type ComponentType, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../app/api-client';
import { downloadCsv } from '../../../app/download';
import { IconButton } from '../../../ui/button';
import { isPhone } from '../../../ui/is-phone';
import { Menu } from '../../../ui/menu';

export interface ListMenuParts {
  GroupsDialog: ComponentType<{ open: boolean; onOpenChange: (open: boolean) => void }>;
}

/** What is done with the list as a whole. */
export default function ListMenu({
  filter,
  isFiltered,
  parts,
}: {
  filter: RouteFilter;
  isFiltered: boolean;
  parts: ListMenuParts;
}) {
  const t = useTranslations('domain.list');
  const navigate = useNavigate();
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
            // The texts beside it share the rest of the line.
            className="flex-none!"
            icon={<Ellipsis size={18} aria-hidden />}
            disabled={download.isPending}
          />
        }
        groups={() => [
          [
            // Elsewhere it has a button.
            ...(isPhone()
              ? [
                  {
                    id: 'import',
                    label: t('import'),
                    icon: <FileUp size={16} aria-hidden />,
                    onSelect: () => void navigate({ to: '/domain/import' }),
                  },
                ]
              : []),
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
          <parts.GroupsDialog open={isOpen} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}

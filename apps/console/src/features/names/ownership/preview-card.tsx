import { ChevronDown, FlaskConical } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useCreatePreview } from '../../../domain/data/queries';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { CodeBlock } from '../../../ui/code-block';
import { useFormat } from '../../../ui/format';

/** The way to ask for the line, then the line. */
function Command({ routeId }: { routeId: string }) {
  const t = useTranslations('domain.preview');
  const format = useFormat();
  const preview = useCreatePreview(routeId);
  if (!preview.data)
    return (
      <Button
        size="sm"
        icon={<FlaskConical size={16} aria-hidden />}
        loading={preview.isPending}
        onClick={() => preview.mutate()}
      >
        {t('create')}
      </Button>
    );
  return (
    <>
      <CodeBlock code={preview.data.curl} label={t('command')} />
      <p className="mt-1.5 text-sm text-muted">{t('expires', { time: format.dateTime(preview.data.expires_at) })}</p>
      {preview.data.dig !== null && (
        <div className="mt-4">
          <CodeBlock code={preview.data.dig} label={t('dig')} />
        </div>
      )}
    </>
  );
}

/** A signed curl line that asks the live version before DNS points here; in the demo, where nothing waits for it, one line on a phone. */
export function PreviewCard({ routeId, isDemo = false }: { routeId: string; isDemo?: boolean }) {
  const t = useTranslations('domain.preview');
  if (!isDemo)
    return (
      <Card title={t('title')} description={t('body')}>
        <Command routeId={routeId} />
      </Card>
    );
  return (
    <Card flush aria-label={t('titleDemo')}>
      <details className="group" open={window.matchMedia('(min-width: 760px)').matches}>
        <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-3 px-4 py-2.5 sm:px-5">
          <h2 className="font-semibold">{t('titleDemo')}</h2>
          <ChevronDown size={16} aria-hidden className="text-muted transition-transform group-open:rotate-180" />
        </summary>
        <div className="px-4 pb-4 sm:px-5">
          <p className="mb-3 text-sm text-muted">{t('bodyDemo')}</p>
          <Command routeId={routeId} />
        </div>
      </details>
    </Card>
  );
}

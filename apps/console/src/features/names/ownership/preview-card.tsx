import { FlaskConical } from 'lucide-react';
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

/** A signed curl line that asks the live version before DNS points here. */
export function PreviewCard({ routeId }: { routeId: string }) {
  const t = useTranslations('domain.preview');
  return (
    <Card title={t('title')} description={t('body')}>
      <Command routeId={routeId} />
    </Card>
  );
}

/** The same where the name counts as pointing here already: a first request to send. */
export function FirstRequest({ routeId }: { routeId: string }) {
  const t = useTranslations('domain.preview');
  return (
    <>
      <p className="mb-3 text-sm text-muted">{t('bodyDemo')}</p>
      <Command routeId={routeId} />
    </>
  );
}

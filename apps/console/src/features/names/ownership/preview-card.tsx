import { FlaskConical } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useCreatePreview } from '../../../domain/data/queries';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { CodeBlock } from '../../../ui/code-block';
import { useFormat } from '../../../ui/format';

/** A signed curl line that asks the live version before DNS points here. */
export function PreviewCard({ routeId, isDemo = false }: { routeId: string; isDemo?: boolean }) {
  const t = useTranslations('domain.preview');
  const format = useFormat();
  const preview = useCreatePreview(routeId);
  return (
    <Card title={t(isDemo ? 'titleDemo' : 'title')} description={t(isDemo ? 'bodyDemo' : 'body')}>
      {preview.data ? (
        <>
          <CodeBlock code={preview.data.curl} label={t('command')} />
          <p className="mt-1.5 text-sm text-muted">
            {t('expires', { time: format.dateTime(preview.data.expires_at) })}
          </p>
          {preview.data.dig !== null && (
            <div className="mt-4">
              <CodeBlock code={preview.data.dig} label={t('dig')} />
            </div>
          )}
        </>
      ) : (
        <Button
          size="sm"
          icon={<FlaskConical size={16} aria-hidden />}
          loading={preview.isPending}
          onClick={() => preview.mutate()}
        >
          {t('create')}
        </Button>
      )}
    </Card>
  );
}

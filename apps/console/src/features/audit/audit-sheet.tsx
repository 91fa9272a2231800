import type { AuditLine } from '@cordon/contract';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { BeforeAfter } from '../../domain/changes/before-after';
import { useFormat } from '../../ui/format';
import { Sheet } from '../../ui/sheet';
import { AuditObject } from './audit-object';
import { useAuditWords } from './audit-words';

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 sm:grid-cols-[minmax(0,9.5rem)_1fr]">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

/** All that is known of one line of the audit log. */
export function AuditSheet({ line, onClose }: { line: AuditLine; onClose: () => void }) {
  const t = useTranslations('audit');
  const format = useFormat();
  const { actionOf, whoOf, kindOf, fieldOf, detailOf, detailsOf, objectOf, textOfValue } = useAuditWords();
  const kind = kindOf(line);
  const { actor, object, reason, changes, address, user_agent: userAgent } = line;
  return (
    <Sheet
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={actionOf(line)}
      description={format.dateTime(line.at)}
    >
      <dl className="flex flex-col gap-3">
        <Row label={t('detail.who')}>
          {whoOf(line)}
          {kind !== undefined && <span className="text-muted"> · {t(`kind.${kind}`)}</span>}
        </Row>
        {/* A sign-in is about the one who signed in. */}
        {object.name !== null && object.name !== actor.name && (
          <Row label={objectOf(object.kind)}>
            <AuditObject object={object} />
            {!object.exists && ['route', 'rule', 'group'].includes(object.kind) && (
              <span className="text-muted"> · {t('detail.gone')}</span>
            )}
          </Row>
        )}
        {reason !== null && <Row label={t('detail.reason')}>{reason}</Row>}
        {detailsOf(line).map(([key, value]) => (
          <Row key={key} label={detailOf(key)}>
            {key === 'values' ? (
              <span className="block max-h-60 overflow-y-auto whitespace-pre-wrap">{textOfValue(value, key)}</span>
            ) : (
              textOfValue(value, key)
            )}
          </Row>
        ))}
        <Row label={t('detail.address')}>
          {address === null ? (
            <span className="text-muted">{t('detail.nowhere')}</span>
          ) : (
            <span className="font-mono text-sm">{address}</span>
          )}
        </Row>
        {userAgent !== null && (
          <Row label={t('detail.agent')}>
            <span className="text-sm">{userAgent}</span>
          </Row>
        )}
      </dl>
      {changes.length > 0 && (
        <section className="mt-5 rounded-control border border-line">
          <h3 className="border-b border-line bg-sunken/60 px-4 py-2 font-medium">{t('detail.changes')}</h3>
          <dl className="flex flex-col gap-2.5 px-4 py-3">
            {changes.map(({ field, before, after }) => (
              <Row key={field} label={fieldOf(field)}>
                <BeforeAfter before={textOfValue(before, field)} after={textOfValue(after, field)} />
              </Row>
            ))}
          </dl>
        </section>
      )}
    </Sheet>
  );
}

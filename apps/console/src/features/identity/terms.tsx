import { type ReactNode, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslations } from 'use-intl';
import { useBrand } from '../../app/brand';
import { Button } from '../../ui/button';
import { useDocumentTitle } from '../../ui/document-title';
import { textLinkClass } from '../../ui/text-link-class';

const POINTS = ['service', 'use', 'traffic', 'account', 'suspension', 'changes'] as const;
const linkClass = `${textLinkClass} -my-1 touch:inline-block touch:py-1`;

/** Leads to the terms where they are accepted: the operator's own, else those that come with the console, over the form. */
export function TermsLink({ url, children }: { url: string | null | undefined; children: ReactNode }) {
  const t = useTranslations('identity.termsText');
  const { name, support_email: email } = useBrand();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  useDocumentTitle(isOpen ? t('title') : undefined);
  if (url)
    return (
      <a href={url} target="_blank" rel="noopener noreferrer" className={linkClass}>
        {children}
      </a>
    );
  const close = () => dialog.current?.close();
  return (
    <>
      <button
        type="button"
        className={linkClass}
        onClick={(event) => {
          // It stands in the label of the box that accepts them.
          event.preventDefault();
          dialog.current?.showModal();
          setOpen(true);
        }}
      >
        {children}
      </button>
      {/* A native one, since the forms load no other dialog; outside the label, which a press in it would press. */}
      {createPortal(
        <dialog
          ref={dialog}
          aria-label={t('title')}
          onClose={() => setOpen(false)}
          className="m-auto max-h-[90dvh] w-[min(640px,calc(100vw-32px))] rounded-card bg-card p-5 text-ink shadow-float backdrop:bg-overlay"
        >
          <h2 className="text-lg font-semibold">{t('title')}</h2>
          <ol className="mt-3 flex list-decimal flex-col gap-2 pl-5">
            {POINTS.map((point) => (
              <li key={point}>{t.rich(point, { name, b: (chunks) => <b className="font-semibold">{chunks}</b> })}</li>
            ))}
          </ol>
          {email !== '' && <p className="mt-3 text-muted">{t('contact', { email })}</p>}
          <Button className="mt-5 w-full" onClick={close}>
            {t('close')}
          </Button>
        </dialog>,
        document.body,
      )}
    </>
  );
}

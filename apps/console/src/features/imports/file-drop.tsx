import { IMPORT_ROWS_MAX } from '@cordon/contract';
import clsx from 'clsx';
import { FileUp } from 'lucide-react';
import { type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { Textarea } from '../../ui/text-input';
import { FILE_BYTES_MAX, FileProblem } from './file/sheet';

export interface FileDropProps {
  isReading: boolean;
  onFile: (name: string, bytes: ArrayBuffer) => void;
  onText: (text: string) => void;
  onProblem: (problem: FileProblem) => void;
}

/** Takes what is pasted anywhere on the screen, and keeps the screen where a file is dropped beside its field. */
function useScreenPaste(onFile: (file: File) => void, onText: (text: string) => void) {
  const current = useRef({ onFile, onText });
  current.current = { onFile, onText };

  useEffect(() => {
    // A file that misses the field must not replace the page.
    const keepPage = (event: Event) => event.preventDefault();
    const paste = (event: ClipboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.closest('input, textarea')) return;
      const file = event.clipboardData?.files[0];
      const pasted = event.clipboardData?.getData('text/plain') ?? '';
      if (!file && pasted.trim() === '') return;
      event.preventDefault();
      if (file) current.current.onFile(file);
      else current.current.onText(pasted);
    };
    window.addEventListener('dragover', keepPage);
    window.addEventListener('drop', keepPage);
    window.addEventListener('paste', paste);
    return () => {
      window.removeEventListener('dragover', keepPage);
      window.removeEventListener('drop', keepPage);
      window.removeEventListener('paste', paste);
    };
  }, []);
}

/** For rows that were copied out of a spreadsheet. */
function PasteForm({ isReading, onText }: Pick<FileDropProps, 'isReading' | 'onText'>) {
  const t = useTranslations('imports.drop');
  const [text, setText] = useState('');
  return (
    <form
      className="mt-4 flex w-full max-w-2xl flex-col items-stretch gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onText(text);
      }}
    >
      <Textarea
        // It opens where it was asked for.
        autoFocus
        mono
        rows={6}
        aria-label={t('pasteLabel')}
        placeholder={t('pastePlaceholder')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" variant="primary" className="self-end" disabled={text.trim() === ''} loading={isReading}>
        {t('read')}
      </Button>
    </form>
  );
}

/** Takes a file by choosing, dropping or pasting, or rows that were copied out of a spreadsheet. */
export function FileDrop({ isReading, onFile, onText, onProblem }: FileDropProps) {
  const t = useTranslations('imports.drop');
  const input = useRef<HTMLInputElement>(null);
  const inputId = useId();
  const titleId = useId();
  const [isOver, setOver] = useState(false);
  const [isPasting, setPasting] = useState(false);

  async function take(file: File | undefined) {
    if (!file) return;
    // Weighed before it is read: the browser would hold all of it.
    if (file.size > FILE_BYTES_MAX) onProblem(new FileProblem('TOO_LARGE', { maximum: FILE_BYTES_MAX / 1024 / 1024 }));
    else onFile(file.name, await file.arrayBuffer());
  }
  useScreenPaste((file) => void take(file), onText);

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  }
  return (
    <section
      aria-labelledby={titleId}
      data-drop
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={clsx(
        'flex flex-col items-center rounded-card border-2 border-dashed px-4 py-8 text-center transition-colors',
        isOver ? 'border-primary bg-soft' : 'border-line-strong bg-card',
      )}
    >
      <span className="mb-3 grid size-12 place-items-center rounded-full bg-soft text-primary-ink">
        <FileUp size={22} aria-hidden />
      </span>
      <p id={titleId} className="text-lg font-semibold text-balance">
        {/* Nothing is dragged on a phone. */}
        <span className="phone:hidden">{t('title')}</span>
        <span className="sm:hidden">{t('titlePhone')}</span>
      </p>
      <p className="mt-1 max-w-md text-muted text-pretty">
        {t('hint', { rows: IMPORT_ROWS_MAX, size: FILE_BYTES_MAX / 1024 / 1024 })}
      </p>
      <label htmlFor={inputId} className="sr-only">
        {t('choose')}
      </label>
      <input
        ref={input}
        id={inputId}
        type="file"
        tabIndex={-1}
        accept=".csv,.txt,.tsv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        className="sr-only"
        onChange={(event) => {
          void take(event.target.files?.[0]);
          // The same file may be chosen again after it was mended.
          event.target.value = '';
        }}
      />
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        <Button
          variant={isPasting ? 'secondary' : 'primary'}
          loading={isReading}
          onClick={() => input.current?.click()}
        >
          {t('choose')}
        </Button>
        <Button aria-expanded={isPasting} onClick={() => setPasting(!isPasting)}>
          {t('paste')}
        </Button>
      </div>
      {isPasting && <PasteForm isReading={isReading} onText={onText} />}
    </section>
  );
}

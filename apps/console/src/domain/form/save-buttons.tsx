import { MessageSquarePlus, Rocket } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { TextInput } from '../../ui/text-input';
import { NOTE_MAX } from './note-max';
import { useDeployKey } from './use-deploy-key';

interface SaveButtonsProps {
  isDirty: boolean;
  /** Which button is being waited for. */
  saving: 'draft' | 'deploy' | undefined;
  disabled?: boolean;
  /** Whether it could be deployed once it is saved. */
  canDeploy?: boolean;
  /** Other words for the two buttons. */
  words?: { draft: string; deploy: string };
  /** `note` is for the history; it belongs to a deploy only. */
  onSave: (deploy: boolean, note: string) => void;
}

/** "Save as draft" and, primary, "Save and deploy", with a note for the history for who wants to leave one: the end of every form. */
export function SaveButtons({ isDirty, saving, disabled, canDeploy = true, words, onSave }: SaveButtonsProps) {
  const t = useTranslations('domain.save');
  const [note, setNote] = useState('');
  const [isNoting, setNoting] = useState(false);
  const isOff = !isDirty || disabled || saving !== undefined;
  const isDeployOff = isOff || !canDeploy;
  // Nothing is left to save: the note went with it.
  useEffect(() => {
    if (isDirty) return;
    setNote('');
    setNoting(false);
  }, [isDirty]);
  const deployKey = useDeployKey();
  const deploy = () => onSave(true, note.trim());
  return (
    <>
      {isNoting ? (
        <TextInput
          aria-label={t('note')}
          placeholder={t('note')}
          value={note}
          autoFocus
          maxLength={NOTE_MAX}
          disabled={saving !== undefined}
          onChange={(event) => setNote(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            if (!isDeployOff) deploy();
          }}
          className="order-first w-full basis-full!"
        />
      ) : (
        <Button
          variant="ghost"
          aria-label={t('addNote')}
          icon={<MessageSquarePlus size={18} aria-hidden />}
          disabled={isDeployOff}
          onClick={() => setNoting(true)}
          className="flex-none!"
        >
          <span className="phone:hidden">{t('noteShort')}</span>
        </Button>
      )}
      <Button loading={saving === 'draft'} disabled={isOff && saving !== 'draft'} onClick={() => onSave(false, '')}>
        {words?.draft ?? t('draft')}
      </Button>
      <Button
        ref={deployKey}
        variant="primary"
        icon={<Rocket size={16} aria-hidden />}
        loading={saving === 'deploy'}
        disabled={isDeployOff && saving !== 'deploy'}
        onClick={deploy}
      >
        {words?.deploy ?? t('deploy')}
      </Button>
    </>
  );
}

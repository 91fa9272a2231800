import type { PluginNotice } from '@cordon/plugin-kit';
import { isRemark } from '@cordon/plugin-kit/form';
import { Callout } from '../form/callout';
import type { PluginWords } from '../words/plugin-words';

/** What a plugin remarks on a valid configuration; what it remarks on entries of lists stands at the lists. */
export function NoticeList({ notices: all, words }: { notices: readonly PluginNotice[]; words: PluginWords }) {
  const notices = all.filter((notice) => !isRemark(notice));
  if (notices.length === 0) return null;
  return (
    <Callout tone="info">
      <ul className="flex flex-col gap-1">
        {notices.map((notice) => (
          <li key={`${notice.path} ${notice.message}`}>{words(notice.message, notice.params)}</li>
        ))}
      </ul>
    </Callout>
  );
}

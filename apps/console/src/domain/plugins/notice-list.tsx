import type { PluginNotice } from '@cordon/plugin-kit';
import { Callout } from '../form/callout';
import type { PluginWords } from '../words/plugin-words';

/** What a plugin remarks on a valid configuration. */
export function NoticeList({ notices, words }: { notices: readonly PluginNotice[]; words: PluginWords }) {
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

import type { PluginOverviewUi } from '../overview.ts';
import { PlainSuggestions } from './plain-form-ui.tsx';

/** The blocks of a plugin's overview as plain HTML, for tests. */
export const plainOverviewUi: PluginOverviewUi = {
  Values: ({ label, hint, values, isOff }) => (
    <ul aria-label={label} data-off={isOff} title={hint}>
      {values.map(({ key, name, live = '–', draft = '–', fallback, warning }) => (
        <li key={key}>{[name, live, draft, fallback, warning].filter((text) => text !== undefined).join(' · ')}</li>
      ))}
    </ul>
  ),
  Suggestions: PlainSuggestions,
  Pages: ({ label, pages }) => (
    <ul aria-label={label}>
      {pages.map(({ status, title }) => (
        <li key={status}>{title}</li>
      ))}
    </ul>
  ),
};

import { ApiError, type Route } from '@cordon/contract';
import { areaOf } from '@cordon/plugins/areas';
import { Split } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useWho } from '../../../app/who';
import { Callout } from '../../../domain/form/callout';
import { usePluginErrors } from '../../../domain/plugins/use-plugin-errors';
import { useErrorList } from '../../../domain/words/error-words';
import { type PluginWords, pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { joinSentences } from '../../../ui/sentences';
import { Link } from '../../../ui/text-link';

/** What is wrong in a plugin of the draft. */
interface PluginFault {
  readonly plugin: string;
  /** Inside its configuration; empty for all of it. */
  readonly path: string;
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>> | undefined;
}

/** Those of a refusal that are about plugins; undefined where it is about something else, too. */
function pluginFaults(error: Error, route: Route | undefined): PluginFault[] | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const faults: PluginFault[] = [];
  for (const [place, code] of Object.entries(error.fields)) {
    const [, index, path = ''] = /^plugins\.(\d+)\.config(?:\.(.+))?$/.exec(place) ?? [];
    const plugin = index === undefined ? undefined : route?.draft.plugins[Number(index)]?.name;
    if (plugin === undefined) return undefined;
    faults.push({ plugin, path, code, params: error.body?.params?.[place] });
  }
  return faults.length > 0 ? faults : undefined;
}

/** One of them, with the way to where it is mended. */
function FaultLine({
  fault: { plugin, path, code, params },
  route,
  words,
  onLeave,
}: {
  fault: PluginFault;
  route: Route;
  words: PluginWords;
  onLeave: () => void;
}) {
  const t = useTranslations('domain.deploy');
  const { messageOf } = usePluginErrors(words);
  const label = `fields.${path.split('.')[0]}.label`;
  const place = words.has(label) ? t('faultAt', { name: pluginName(words, plugin), field: words(label) }) : undefined;
  return (
    <li>
      <Link
        to="/domain/list/$id"
        params={{ id: route.id }}
        search={{ tab: areaOf[plugin], edit: plugin }}
        onClick={onLeave}
        className="font-medium"
      >
        {place ?? pluginName(words, plugin)}
      </Link>
      <br />
      {messageOf(code, params)}
    </li>
  );
}

/** Why a deploy was refused: another user's change, settings of plugins, or what the whole answer says. */
export default function Refusal({
  error,
  route,
  onLeave,
}: {
  error: Error;
  route: Route | undefined;
  onLeave: () => void;
}) {
  const t = useTranslations('domain.deploy');
  const who = useWho();
  const errorList = useErrorList();
  const words = usePluginWords();
  const faults = pluginFaults(error, route);
  if (error instanceof ApiError && error.code === 'STALE_REVISION')
    return (
      <Callout tone="warning" icon={<Split size={16} />} role="alert">
        {t('stale', { who: route?.draft_updated_by ? who(route.draft_updated_by) : t('anotherUser') })}
      </Callout>
    );
  return (
    <Callout tone="danger" role="alert">
      {faults && route && words ? (
        <ul className="flex flex-col gap-2">
          {faults.map((fault) => (
            <FaultLine
              key={`${fault.plugin}.${fault.path}`}
              fault={fault}
              route={route}
              words={words(fault.plugin)}
              onLeave={onLeave}
            />
          ))}
        </ul>
      ) : (
        joinSentences(errorList(error))
      )}
    </Callout>
  );
}

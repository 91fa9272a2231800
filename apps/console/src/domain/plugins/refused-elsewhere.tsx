import { ApiError } from '@cordon/contract';
import { areaOf } from '@cordon/plugins/areas';
import { useTranslations } from 'use-intl';
import { Link } from '../../ui/text-link';
import { configPath } from '../model/plugin-state';
import { useErrorList } from '../words/error-words';
import { type PluginWords, pluginName, usePluginWords } from '../words/plugin-words';
import { usePluginErrors } from './use-plugin-errors';

/** What is wrong in a plugin of the draft. */
interface PluginFault {
  readonly plugin: string;
  /** Inside its configuration; empty for all of it. */
  readonly path: string;
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>> | undefined;
}

/** Plugins that were not sent have their names where others have positions. */
const PLACE = /^plugins\.([a-z][a-z\d-]*)\.(?:config\.?)?(.*)$/;

/** What is wrong in plugins that were not sent, and the rest that no field shows, as an answer of its own. */
function readRefusal(error: ApiError): { faults: PluginFault[]; rest: ApiError | undefined } {
  const faults: PluginFault[] = [];
  const rest: string[] = [];
  for (const [place, code] of Object.entries(error.fields)) {
    const [, plugin, path = ''] = PLACE.exec(place) ?? [];
    if (plugin) faults.push({ plugin, path, code, params: error.body?.params?.[place] });
    else if (!configPath(place)) rest.push(`${place}.${code}`);
  }
  if (faults.length === 0) return { faults, rest: error };
  return { faults, rest: rest.length > 0 ? new ApiError(error.status, error.code, error.body, rest) : undefined };
}

interface FaultProps {
  routeId: string;
  /** The way to where it is mended is taken. */
  onLeave?: (() => void) | undefined;
}

function FaultLine({
  fault: { plugin, path, code, params },
  words,
  routeId,
  onLeave,
}: FaultProps & { fault: PluginFault; words: PluginWords }) {
  const t = useTranslations('domain.deploy');
  const { messageOf } = usePluginErrors(words);
  const label = `fields.${path.split('.')[0]}.label`;
  const place = words.has(label) ? t('faultAt', { name: pluginName(words, plugin), field: words(label) }) : undefined;
  return (
    <li>
      <Link
        to="/domain/list/$id"
        params={{ id: routeId }}
        search={{ tab: areaOf[plugin], edit: plugin }}
        onClick={onLeave}
      >
        {place ?? pluginName(words, plugin)}
      </Link>
      <br />
      {messageOf(code, params)}
    </li>
  );
}

/** Why something was refused: plugins of the draft that were not sent, with field, reason and the way there; and the rest. */
export default function RefusedElsewhere({ error, ...props }: FaultProps & { error: ApiError }) {
  const words = usePluginWords();
  const errorList = useErrorList();
  if (!words) return null;
  const { faults, rest } = readRefusal(error);
  return (
    // It may stand where nobody looks.
    <ul ref={(list) => list?.scrollIntoView?.({ block: 'nearest' })} className="flex flex-col gap-2">
      {faults.map((fault) => (
        <FaultLine key={`${fault.plugin}.${fault.path}`} fault={fault} words={words(fault.plugin)} {...props} />
      ))}
      {rest && errorList(rest).map((line) => <li key={line}>{line}</li>)}
    </ul>
  );
}
